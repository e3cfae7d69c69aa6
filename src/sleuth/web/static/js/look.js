// How the page looks on this device: chosen here, else as the system wishes. It runs before the page is drawn.

{
  const SYSTEM = {
    dark: matchMedia("(prefers-color-scheme: dark)"),
    contrast: matchMedia("(prefers-contrast: more)"),
    still: matchMedia("(prefers-reduced-motion: reduce)"),
  };

  const chosen = () => {
    try {
      return JSON.parse(localStorage.getItem("sleuth.look") ?? "{}");
    } catch {
      return {};
    }
  };

  const apply = () => {
    const { theme, palette, text, motion } = chosen();
    const root = document.documentElement;
    root.dataset.theme = theme || (SYSTEM.dark.matches ? "dark" : "light");
    root.dataset.palette = palette || (SYSTEM.contrast.matches ? "contrast" : "standard");
    root.dataset.text = text || "usual";
    root.dataset.motion = motion || (SYSTEM.still.matches ? "less" : "full");
    const paper = getComputedStyle(root).getPropertyValue("--paper");
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", paper);
  };

  apply();
  for (const query of Object.values(SYSTEM)) query.addEventListener("change", apply);
  addEventListener("storage", apply); // chosen in another tab
  addEventListener("sleuth-look", apply); // chosen in this one
}
