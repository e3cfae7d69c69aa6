// A game as a tree of rows: the main line, and variations beside it. Everything here is a pure function: trees are
// never changed, new ones are returned.

/**
 * @typedef {{ guess: string, feedback: string[] }} Row a guess, and its feedback on each board; "" where a board was
 *   solved before
 * @typedef {{ row: Row | null, next: Node[] }} Node a row and what may follow, the main line first; the root has no row
 * @typedef {number[]} Path which of the rows that may follow is taken, one number a row
 */

/** @returns {Node} a game that has not begun */
export const begun = () => ({ row: null, next: [] });

/** Return the node at a path that there is. @param {Node} root @param {Path} path @returns {Node} */
export const nodeAt = (root, path) => path.reduce((node, i) => node.next[i], root);

/** Whether there is a path in a tree. @param {Node} root @param {Path} path */
export const has = (root, path) =>
  Boolean(path.reduce((node, i) => node?.next[i], /** @type {Node | undefined} */ (root)));

/** Return the nodes on the way to a path, without the root. @param {Node} root @param {Path} path @returns {Node[]} */
const nodesTo = (root, path) => path.map((_, i) => nodeAt(root, path.slice(0, i + 1)));

/** Return the rows that lead to a path. @param {Node} root @param {Path} path @returns {Row[]} */
export const rowsTo = (root, path) => nodesTo(root, path).map(({ row }) => /** @type {Row} */ (row));

/** Return the line through a path: the path, and the main continuation to its end. @param {Node} root @param {Path} path */
export function lineThrough(root, path) {
  const line = [...path];
  for (let node = nodeAt(root, path); node.next.length; node = node.next[0]) line.push(0);
  return line;
}

/** Return the longest beginning of a path that there is in a tree. @param {Node} root @param {Path} path @returns {Path} */
export function within(root, path) {
  let end = 0;
  while (end < path.length && has(root, path.slice(0, end + 1))) end += 1;
  return path.slice(0, end);
}

/** Return a line of rows as a tree. @param {Row[]} rows @returns {Node} */
export const lineOf = (rows) => ({
  row: null,
  next: rows.reduceRight((next, row) => [{ row, next }], /** @type {Node[]} */ ([])),
});

/** Whether two rows are the same. @param {Row} a @param {Row} b */
export const same = (a, b) => a.guess === b.guess && a.feedback.join("/") === b.feedback.join("/");

/** Return a tree in which the node at a path is what `change` makes of it. */
function changed(node, path, change) {
  if (path.length === 0) return change(node);
  const [first, ...rest] = path;
  return {
    ...node,
    next: node.next.map((child, i) => (i === first ? changed(child, rest, change) : child)),
  };
}

/** Return a tree with a row after a path, as a variation where others follow already, and the path to it.
 * @param {Node} root @param {Path} path @param {Row} row @returns {{ root: Node, path: Path }} */
export function add(root, path, row) {
  const { next } = nodeAt(root, path);
  const at = next.findIndex((child) => child.row && same(child.row, row));
  if (at >= 0) return { root, path: [...path, at] };
  return {
    root: changed(root, path, (node) => ({ ...node, next: [...node.next, { row, next: [] }] })),
    path: [...path, next.length],
  };
}

/** Return a tree with several rows added one after another, and the path to the last.
 * @param {Node} root @param {Path} path @param {Row[]} rows @returns {{ root: Node, path: Path }} */
export const addAll = (root, path, rows) =>
  rows.reduce((so, row) => add(so.root, so.path, row), { root, path });

/** Return a tree with another row at a path; what follows it stays. @param {Node} root @param {Path} path @param {Row} row */
export const replace = (root, path, row) => changed(root, path, (node) => ({ ...node, row }));

/** Return a tree without the row at a path and all that follows it. @param {Node} root @param {Path} path @returns {Node} */
export const remove = (root, path) =>
  changed(root, path.slice(0, -1), (node) => ({
    ...node,
    next: node.next.filter((_, i) => i !== path.at(-1)),
  }));

/** Return a tree without the row at a path: what follows takes its place. @param {Node} root @param {Path} path @returns {Node} */
export const leaveOut = (root, path) =>
  changed(root, path.slice(0, -1), (node) => ({
    ...node,
    next: node.next.flatMap((child, i) => (i === path.at(-1) ? child.next : [child])),
  }));

/** Return a tree without what follows a path. @param {Node} root @param {Path} path @returns {Node} */
export const cutAfter = (root, path) => changed(root, path, (node) => ({ ...node, next: [] }));

/** Return a tree in which the line to a path is the main line, and the path as it is then.
 * @param {Node} root @param {Path} path @returns {{ root: Node, path: Path }} */
export const promote = (root, path) => ({
  root: path.reduceRight(
    (tree, at, i) =>
      changed(tree, path.slice(0, i), (node) => ({
        ...node,
        next: [node.next[at], ...node.next.filter((_, j) => j !== at)],
      })),
    root,
  ),
  path: path.map(() => 0),
});

/** Whether a path is on the main line. @param {Path} path */
export const isMain = (path) => path.every((at) => at === 0);

/** Return the path to the next or the last variation at the nearest place on the way where there are some; as many rows
 * deep as before, where it is that long. @param {Node} root @param {Path} path @param {number} by 1 or -1 @returns {Path} */
export function aside(root, path, by) {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const before = path.slice(0, depth - 1);
    const many = nodeAt(root, before).next.length;
    if (many < 2) continue;
    const at = (path[depth - 1] + by + many) % many;
    return lineThrough(root, [...before, at]).slice(0, path.length);
  }
  return path;
}

/** Return how many rows a tree has. @param {Node} node @returns {number} */
export const size = (node) => node.next.reduce((sum, child) => sum + 1 + size(child), 0);
