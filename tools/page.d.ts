// What is looked up in the page are HTML elements; drawings in SVG are looked up nowhere.

interface ParentNode {
  querySelector<Tag extends keyof HTMLElementTagNameMap>(selectors: Tag): HTMLElementTagNameMap[Tag] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<Tag extends keyof HTMLElementTagNameMap>(
    selectors: Tag,
  ): NodeListOf<HTMLElementTagNameMap[Tag]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface HTMLElement {
  readonly children: HTMLCollectionOf<HTMLElement>;
}

interface CSSStyleDeclaration {
  setProperty(property: string, value: string | number | null, priority?: string): void;
}
