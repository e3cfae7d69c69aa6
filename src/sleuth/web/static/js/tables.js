// Tables of numbers, and the heads by which tables are sorted.

import { h } from "./dom.js";
import { explained, explaining } from "./explain.js";

/**
 * @typedef {[name: string, cells: any[], explained?: string]} Row
 * @typedef {{ name: string, why?: string, key?: (row: any) => any, falls?: boolean, className?: string }} Column
 *   why: what it means; key: what it is sorted by, if it is; falls: whether the greatest come first when it is first pressed.
 */

/**
 * Return a table of numbers that is scrolled where it is too wide.
 *
 * @param {string} caption
 * @param {any[]} heads  those of the columns of cells
 * @param {Row[]} rows
 */
export const numbers = (caption, heads, rows) =>
  scrolled(
    caption,
    h(
      "table",
      { class: "numbers" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, h("td", {}), heads)),
      h(
        "tbody",
        {},
        rows.map(([name, cells, explained]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name, explained ? h("span", { class: "term" }, ` ${explained}`) : null),
            cells.map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
    ),
  );

/** Return a table in a region that is scrolled, also by keyboard. */
export const scrolled = (/** @type {string} */ name, /** @type {HTMLElement} */ table) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${name}, table` }, table);

/**
 * Return the heads of columns, and `sorted`, which returns rows in the order that is chosen. Pressed once a head sorts, a
 * second time the other way round, and then the rows are as they were.
 *
 * @param {Column[]} columns
 * @param {() => void} changed  called when another order is chosen
 */
export function sorting(columns, changed) {
  /** @type {Column | null} */
  let by = null;
  let isTurned = false;
  const heads = columns.map((column) => {
    const { name, why, key, className } = column;
    const shown = h("th", { scope: "col", class: className });
    if (key) {
      const button = h("button", { type: "button", class: "sort", onclick: () => press(column) }, name);
      shown.append(why ? explaining(button, why) : button);
    } else shown.append(why ? explained(name, why) : name);
    return shown;
  });

  function press(/** @type {Column} */ column) {
    if (by !== column) [by, isTurned] = [column, false];
    else if (isTurned) by = null;
    else isTurned = true;
    columns.forEach((one, i) => {
      if (one === by) heads[i].setAttribute("aria-sort", !one.falls === !isTurned ? "ascending" : "descending");
      else heads[i].removeAttribute("aria-sort");
    });
    changed();
  }

  return {
    heads,
    /** @template T @param {T[]} rows @returns {T[]} */
    sorted(rows) {
      const key = by?.key;
      if (!key) return rows;
      const way = !by?.falls === !isTurned ? 1 : -1;
      return [...rows].sort((a, b) => (key(a) < key(b) ? -way : key(a) > key(b) ? way : 0));
    },
  };
}
