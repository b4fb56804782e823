/** Which browser the tests of the page drive. */
export type ChromiumChoice = { readonly kind: "installed"; readonly path: string } | { readonly kind: "bundled" };

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The environment variable FLYCATCHER_CHROMIUM: a path, or `bundled`. */
  readonly named: string | undefined;
  readonly exists: (path: string) => boolean;
}

const installedPaths: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The one that FLYCATCHER_CHROMIUM names, else an installed one, else that of @sparticuz/chromium, which is for Linux on x64. */
export function chooseChromium({ platform, arch, named, exists }: Machine): ChromiumChoice {
  if (named !== undefined && named !== "bundled") {
    if (!exists(named)) throw new Error(`FLYCATCHER_CHROMIUM names ${named}, which does not exist`);
    return { kind: "installed", path: named };
  }
  const path = named === "bundled" ? undefined : installedPaths.find(exists);
  if (path !== undefined) return { kind: "installed", path };
  if (platform === "linux" && arch === "x64") return { kind: "bundled" };
  throw new Error(
    `the tests of the page need a browser, and the one that npm installs is for Linux on x64, not ${platform} on ${arch}: ` +
      "install Chromium or Chrome, or name one with FLYCATCHER_CHROMIUM",
  );
}
