// As much of a browser as the page's scripts touch, on globalThis. Imported before any of them.

const REFLECTED = ["id", "title", "href", "type", "placeholder", "name", "min", "max", "open"];
const FLAGS = ["hidden", "disabled", "checked"];

/** An element: a tag, attributes, children and listeners; events do not bubble. */
export class Element extends EventTarget {
  constructor(tag) {
    super();
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.childNodes = [];
    this.parent = null;
    this.value = "";
    const set = new Map();
    this.style = {
      setProperty: (name, value) => set.set(name, String(value)),
      getPropertyValue: (name) => set.get(name) ?? "",
    };
    this.dataset = new Proxy(this, {
      get: (of, name) => of.getAttribute(dataName(name)) ?? undefined,
      set: (of, name, value) => (of.setAttribute(dataName(name), value), true),
      deleteProperty: (of, name) => of.attributes.delete(dataName(name)) || true,
    });
    const names = () => this.className.split(/\s+/).filter(Boolean);
    this.classList = {
      contains: (name) => names().includes(name),
      add: (...more) => (this.className = [...new Set([...names(), ...more])].join(" ")),
      remove: (...less) =>
        (this.className = names()
          .filter((name) => !less.includes(name))
          .join(" ")),
      toggle: (name, on = !names().includes(name)) => this.classList[on ? "add" : "remove"](name),
    };
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  get className() {
    return this.getAttribute("class") ?? "";
  }
  set className(value) {
    this.setAttribute("class", value);
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof Element);
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get textContent() {
    return this.childNodes.map((child) => (child instanceof Element ? child.textContent : child)).join("");
  }
  set textContent(text) {
    this.replaceChildren(String(text));
  }
  append(...nodes) {
    for (const node of nodes) {
      if (node instanceof Element) {
        node.remove();
        node.parent = this;
      }
      this.childNodes.push(node instanceof Element ? node : String(node));
    }
  }
  replaceChildren(...nodes) {
    for (const child of this.children) child.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }
  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((child) => child !== this);
    this.parent = null;
  }
  cloneNode() {
    const copy = new Element(this.tagName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    copy.append(...this.childNodes.map((child) => (child instanceof Element ? child.cloneNode() : child)));
    return copy;
  }
  contains(other) {
    for (let one = other; one; one = one.parent) if (one === this) return true;
    return false;
  }
  get isConnected() {
    return document.documentElement.contains(this);
  }

  /** Whether the element is what a selector such as `button.link[data-view="true"]` says. */
  matches(selector) {
    return selector.split(/\s*,\s*/).some((one) => {
      const [, tag, rest] = /^([\w-]*)(.*)$/.exec(one);
      if (tag && this.tagName !== tag.toUpperCase()) return false;
      return [...rest.matchAll(/\.([\w-]+)|\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\]/g)].every(([, name, key, value]) =>
        name
          ? this.classList.contains(name)
          : value === undefined
            ? this.attributes.has(key)
            : this.getAttribute(key) === value,
      );
    });
  }
  querySelectorAll(selector) {
    const all = this.children.flatMap((child) => [child, ...child.querySelectorAll("*")]);
    if (selector === "*") return all;
    const steps = selector.split(/\s+(?![^[]*\])/);
    return all.filter((one) => {
      if (!one.matches(steps.at(-1))) return false;
      let at = one.parent;
      for (const step of steps.slice(0, -1).reverse()) {
        while (at && !at.matches(step)) at = at.parent;
        if (!at) return false;
        at = at.parent;
      }
      return true;
    });
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  focus() {
    document.activeElement = this;
  }
  select() {}
  click() {
    this.dispatchEvent(new Event("click"));
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, bottom: 0, width: 0, height: 0 };
  }
  showPopover() {}
  showModal() {
    this.open = "";
  }
  close() {
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  }
}

const dataName = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
for (const name of REFLECTED)
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.getAttribute(name) ?? "";
    },
    set(value) {
      this.setAttribute(name, value);
    },
  });
for (const name of FLAGS)
  Object.defineProperty(Element.prototype, name, {
    get() {
      return this.attributes.has(name);
    },
    set(on) {
      if (on) this.setAttribute(name, "");
      else this.removeAttribute(name);
    },
  });

/** Return an event that says more than its type, such as the key of a keydown. */
export const event = (type, more = {}) => Object.assign(new Event(type, { cancelable: true }), more);

/** Storage: its keys are properties, as in browsers, and with `full` it takes nothing more. */
class Storage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key, value) {
    if (Storage.full) throw new Error("QuotaExceededError");
    this[key] = String(value);
  }
  removeItem(key) {
    delete this[key];
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key];
  }
}
Storage.full = false;

/** Let storage be full, or not. */
export const fillStorage = (full) => {
  Storage.full = full;
};

/** A database in memory. A transaction is complete once nothing more is asked of it, as in browsers. */
export class Databases {
  constructor() {
    this.all = new Map();
  }
  open(name) {
    const request = {};
    setImmediate(() => {
      request.result = this.all.get(name) ?? new Database();
      if (!this.all.has(name)) {
        this.all.set(name, request.result);
        request.onupgradeneeded?.();
      }
      request.onsuccess();
    });
    return request;
  }
}

class Database {
  constructor() {
    this.stores = new Map();
  }
  close() {}
  createObjectStore(name, { keyPath }) {
    this.stores.set(name, { keyPath, rows: new Map() });
    return this.transaction().objectStore(name);
  }
  transaction() {
    const transaction = {};
    let asked = 0;
    const complete = (when) => setImmediate(() => when === asked && transaction.oncomplete?.());
    complete(0);
    const ask = (answer) => {
      const request = {};
      asked += 1;
      setImmediate(() => {
        request.result = structuredClone(answer());
        request.onsuccess?.();
        complete(asked);
      });
      return request;
    };
    transaction.objectStore = (name) => {
      const { keyPath, rows } = this.stores.get(name);
      return {
        getAll: () => ask(() => [...rows.values()]),
        getAllKeys: () => ask(() => [...rows.keys()]),
        get: (key) => ask(() => rows.get(key)),
        put: (row) => ask(() => rows.set(row[keyPath], structuredClone(row)) && undefined),
        delete: (key) => ask(() => rows.delete(key)),
        clear: () => ask(() => rows.clear()),
      };
    };
    return transaction;
  }
}

/** What tabs of one browser tell each other; `told` has what this one said. */
class Channel extends EventTarget {
  static told = [];
  static open = [];
  constructor() {
    super();
    Channel.open.push(this);
  }
  postMessage(data) {
    Channel.told.push(data);
  }
}
/** What this tab told the others. */
export const told = Channel.told;
/** Tell this tab something from another one. */
export const tellFromAnotherTab = (data) => {
  for (const channel of Channel.open) channel.dispatchEvent(event("message", { data }));
};

const here = new EventTarget();
const root = new Element("html");
const body = new Element("body");
const frame = ["announcer", "busy", "connection", "preparing"].map((id) => Object.assign(new Element("div"), { id }));
root.append(body);
body.append(...frame);

Object.assign(globalThis, {
  Element,
  HTMLElement: Element,
  HTMLInputElement: class extends Element {},
  document: Object.assign(new EventTarget(), {
    documentElement: root,
    body,
    activeElement: body,
    createElement: (tag) => new Element(tag),
    createElementNS: (_, tag) => new Element(tag),
    getElementById: (id) => root.querySelector(`[id="${id}"]`),
    querySelector: (selector) => root.querySelector(selector),
  }),
  localStorage: new Storage(),
  sessionStorage: new Storage(),
  indexedDB: new Databases(),
  BroadcastChannel: Channel,
  location: { pathname: "/", search: "", hash: "", href: "https://sleuth.example/" },
  history: {
    state: null,
    pushed: [],
    replaceState(state, _, address) {
      this.state = state;
      if (address) goTo(address);
    },
    pushState(state, _, address) {
      this.pushed.push(address);
      this.replaceState(state, _, address);
    },
  },
  addEventListener: here.addEventListener.bind(here),
  removeEventListener: here.removeEventListener.bind(here),
  dispatchEvent: here.dispatchEvent.bind(here),
  requestAnimationFrame: (action) => setImmediate(action),
  ResizeObserver: class {
    observe() {}
  },
  innerWidth: 1280,
  innerHeight: 800,
});

/** Go to an address without a word to the page. */
export function goTo(address) {
  const { pathname, search, hash, href } = new URL(address, "https://sleuth.example");
  Object.assign(location, { pathname, search, hash, href });
}

/**
 * Answer questions to the server: `answers` is asked with method, path below the API and body, and returns what is answered,
 * or [status, problem] where it is refused. Return the list of what is asked.
 */
export function serve(answers) {
  const asked = [];
  globalThis.fetch = async (address, { method, body: sent, signal }) => {
    const path = address.replace("/api/v1", "");
    const question = { method, path, body: sent === undefined ? undefined : JSON.parse(sent) };
    asked.push(question);
    signal?.throwIfAborted();
    const given = await answers(question);
    const [status, answer] = Array.isArray(given) ? given : [200, given];
    return new Response(JSON.stringify(answer), { status, headers: { "Content-Type": "application/json" } });
  };
  return asked;
}

/** Forget what is stored, and where one is. */
export function startOver() {
  fillStorage(false);
  localStorage.clear();
  sessionStorage.clear();
  history.state = null;
  history.pushed = [];
  goTo("/");
  body.replaceChildren(...frame);
  document.activeElement = body;
}

/** Let what is on its way arrive. */
export const settled = async (turns = 20) => {
  for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
