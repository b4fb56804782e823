import { Listeners } from "./dom/listeners.js";

/** Light, dark, or as the system has it. */
export type Theme = "light" | "dark" | "system";

const key = "flycatcher.theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const changes = new Listeners<void>();
system.addEventListener("change", () => changes.emit());

export function theme(): Theme {
  const kept = localStorage.getItem(key);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function setTheme(chosen: Theme): void {
  if (chosen === "system") localStorage.removeItem(key);
  else localStorage.setItem(key, chosen);
  applyTheme();
  changes.emit();
}

/** The style sheet does the rest. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function isDark(): boolean {
  const chosen = theme();
  return chosen === "dark" || (chosen === "system" && system.matches);
}

/** Returns what ends it. */
export function onThemeChange(listener: () => void): () => void {
  return changes.add(listener);
}
