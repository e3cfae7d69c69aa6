// Keys and swipes that walk through a game, wherever the focus is.

const SWIPE = 48;

const isField = (/** @type {Element} */ element) =>
  element instanceof HTMLInputElement
    ? !(element.matches(".typing input") && !element.value)
    : element.matches("select, textarea");

/**
 * Listen to keys of a section and to swipes over its board. An action returns false where it does nothing, and the key
 * then does what it does elsewhere, as where there is no action for it.
 * @param {HTMLElement} section @param {HTMLElement} board
 * @param {{ step: (by: number) => any, first: () => any, last: () => any, aside?: (by: number) => boolean,
 *   undo?: (by: 1 | -1) => void, type?: () => void }} actions
 */
export function listen(section, board, { step, aside, first, last, undo, type }) {
  document.addEventListener("keydown", (event) => {
    if (section.hidden || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // What is around the section has the focus when one clicked beside everything.
    if (!target.contains(section) && !section.contains(target)) return;
    const { key } = event;
    if (undo && (event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !target.matches("textarea")) {
      event.preventDefault();
      undo(event.shiftKey ? -1 : 1);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isField(target)) return;
    const action = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      ArrowUp: aside && (() => aside(-1)),
      ArrowDown: aside && (() => aside(1)),
      Home: first,
      End: last,
    }[key];
    if (action) {
      if (action() !== false) event.preventDefault();
    } else if (/^[\p{L}\p{N}]$/u.test(key) && !target.matches("input")) type?.();
  });

  /** @type {Touch | null} */
  let from = null;
  board.addEventListener("touchstart", ({ touches }) => (from = touches.length === 1 ? touches[0] : null), {
    passive: true,
  });
  board.addEventListener(
    "touchend",
    ({ changedTouches: [to] }) => {
      if (!from) return;
      const [across, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) step(across > 0 ? -1 : 1);
    },
    { passive: true },
  );
}
