// The keyboards of languages: three rows as they are on the keys, and one above for letters that are not.

import { languageOf } from "./games.js";

const ENGLISH = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const LAYOUTS = {
  de: ["qwertzuiopü", "asdfghjklöä", "yxcvbnmß"],
  en: ENGLISH,
  es: ["áéíóúü", "qwertyuiop", "asdfghjklñ", "zxcvbnm"],
  fr: ["éèàùâêîôû", "ëïçœæ", "azertyuiop", "qsdfghjklm", "wxcvbn"],
  it: ["àèéìòù", ...ENGLISH],
  nl: ["éëïóöü", ...ENGLISH],
  pl: ["ąćęłńóśźż", ...ENGLISH],
  pt: ["áâãàéêíóôõú", "qwertyuiop", "asdfghjklç", "zxcvbnm"],
  ru: ["йцукенгшщзхъ", "фывапролджэё", "ячсмитьбю"],
  sv: ["qwertyuiopå", "asdfghjklöä", "zxcvbnm"],
  da: ["qwertyuiopå", "asdfghjklæø", "zxcvbnm"],
  nb: ["qwertyuiopå", "asdfghjkløæ", "zxcvbnm"],
  fi: ["qwertyuiopå", "asdfghjklöä", "zxcvbnm"],
  uk: ["йцукенгшщзхї", "фівапролджєґ", "ячсмитьбю"],
  el: ["άέήίόύώ", "ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"],
};
const ACCENTS = ["àáâãäåæçèéêë", "ìíîïñòóôõöøœ", "ùúûüßąęğłżźś"];
const MOST_IN_ROW = 12;

/** Return the rows of keys for a game of words; own words get the keyboard that has most of their letters. */
export function layoutOf(game) {
  if (!game.answers) return LAYOUTS[languageOf(game)] ?? ENGLISH;
  const letters = new Set(game.answers.join("").toLowerCase());
  const missing = (rows) => [...letters].filter((letter) => !rows.some((row) => row.includes(letter)));
  const best = Object.values(LAYOUTS).reduce(
    (a, b) => (missing(b).length < missing(a).length ? b : a),
    ENGLISH,
  );
  const more = missing(best).sort();
  const rows = [];
  while (more.length) rows.push(more.splice(0, MOST_IN_ROW).join(""));
  return [...rows, ...best];
}

/** Return the rows of letters that words of a language have from other languages; none where a list has none. */
export function othersOf(game) {
  if (!game.words?.startsWith("frequent:")) return [];
  return layoutOf(game).join("").includes("a") ? ACCENTS : ENGLISH;
}
