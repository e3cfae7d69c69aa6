// The first minute of a server: what it computes with is compiled, and better answers follow.

import { get } from "./api.js";
import { byId, h } from "./dom.js";

const LOOK = 1000;
export const PROVISIONAL = "a quick estimate; better follows";
const EARLY = "You can play; until then hints are quick estimates, and reviews wait.";

/** Return how much is compiled, and whether what hints take is; null where no server answers: others say so. */
async function health() {
  try {
    return await get("/health", { quiet: true });
  } catch {
    return null;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK));

/** Show how much is compiled, until all is. */
export async function showPreparing() {
  const place = byId("preparing");
  for (let far = await health(); far?.prepared !== 1; far = await health()) {
    if (far) {
      const { prepared, hints } = far;
      const share = Math.round(100 * prepared);
      place.hidden = false;
      place.replaceChildren(
        h("span", {}, `Preparing, ${share} %`),
        h("progress", { max: 1, value: prepared, "aria-label": "Compiled" }),
        h("span", { class: "soft" }, hints ? "Hints are ready; reviews wait." : EARLY),
      );
    }
    await pause();
  }
  place.hidden = true;
}

/** Ask again once hints are compiled, unless what is asked about has changed by then. */
export async function askAgain(ask, isSame) {
  do await pause();
  while (isSame() && !(await health())?.hints);
  if (isSame()) ask();
}
