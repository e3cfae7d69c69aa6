// The first minute of a server: what it computes with is compiled, and better answers follow.

import { get } from "./api.js";
import { byId, h } from "./dom.js";

const LOOK = 1500;
const AGAIN = 3000;
export const PROVISIONAL = "a quick estimate; better follows";

/** Show how much is compiled, until all is. */
export async function showPreparing() {
  const place = byId("preparing");
  for (;;) {
    let prepared; // null where no server answers: others say so
    try {
      ({ prepared } = await get("/health", { quiet: true }));
    } catch {
      prepared = null;
    }
    if (prepared === 1) break;
    if (prepared !== null) {
      const share = Math.round(100 * prepared);
      place.hidden = false;
      place.replaceChildren(
        h("span", {}, `Preparing, ${share} %`),
        h("progress", { max: 1, value: prepared, "aria-label": "Compiled" }),
        h("span", { class: "soft" }, "You can play; until then hints are quick estimates, and reviews wait."),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  place.hidden = true;
}

/** Ask again after a while, unless what is asked about has changed by then. */
export function askAgain(ask, isSame) {
  setTimeout(() => isSame() && ask(), AGAIN);
}
