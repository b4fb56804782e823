import { describe, expect, it } from "vitest";
import { chooseChromium, type Machine } from "./choose-chromium.js";

const bare: Machine = { platform: "linux", arch: "x64", named: undefined, exists: () => false };

describe("chooseChromium", () => {
  it("takes an installed browser", () => {
    const exists = (path: string) => path === "/usr/bin/google-chrome";
    expect(chooseChromium({ ...bare, exists })).toEqual({ kind: "installed", path: "/usr/bin/google-chrome" });
  });

  it("takes the one that npm installs where there is none", () => {
    expect(chooseChromium(bare)).toEqual({ kind: "bundled" });
  });

  it("takes the one that npm installs in place of an installed one if told so", () => {
    expect(chooseChromium({ ...bare, named: "bundled", exists: () => true })).toEqual({ kind: "bundled" });
  });

  it("takes the one that is named before those in the usual places", () => {
    const choice = chooseChromium({ ...bare, named: "/opt/chrome", exists: () => true });
    expect(choice).toEqual({ kind: "installed", path: "/opt/chrome" });
  });

  it("refuses a name that does not exist, even where a browser is installed", () => {
    const exists = (path: string) => path === "/usr/bin/chromium";
    expect(() => chooseChromium({ ...bare, named: "/opt/chrome", exists })).toThrow(
      "FLYCATCHER_CHROMIUM names /opt/chrome, which does not exist",
    );
  });

  it.each([
    ["darwin", "arm64"],
    ["linux", "arm64"],
  ] as const)("says what to install on %s %s without a browser", (platform, arch) => {
    const choose = (named?: string) => chooseChromium({ ...bare, platform, arch, named });
    expect(() => choose()).toThrow(`not ${platform} on ${arch}: install Chromium or Chrome`);
    expect(() => choose("bundled")).toThrow("install Chromium or Chrome");
  });
});
