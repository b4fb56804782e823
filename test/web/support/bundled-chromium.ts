import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../../src/runtime/package-root.js";

/** The Chromium of the package @sparticuz/chromium, unpacked. */
export interface BundledChromium {
  readonly path: string;
  /** The package brings the shared libraries and the fonts that a machine without a desktop lacks. */
  readonly environment: Readonly<Record<"LD_LIBRARY_PATH" | "FONTCONFIG_FILE" | "LC_ALL", string>>;
}

const modules = join(packageRoot, "node_modules");

/** Unpacks it once for each version, 200 MB in about 3 s. */
export function unpackChromium(): BundledChromium {
  const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz", "chromium", "package.json"), "utf8"));
  const folder = join(modules, ".cache", "flycatcher", `chromium-${version}`);
  if (!existsSync(folder)) unpackInto(folder);
  return {
    path: join(folder, "chromium"),
    environment: {
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_FILE: join(folder, "fonts", "with-system.conf"),
      // Where none is set it takes the language to be `en-US@posix`, which its own Intl refuses.
      LC_ALL: "en_US.UTF-8",
    },
  };
}

/** Two test files may do this at once: each unpacks into a folder of its own, and the first one's is used by both. */
function unpackInto(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    inflate(draft);
    writeFileSync(join(draft, "fonts", "with-system.conf"), fontConfiguration(folder));
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The package unpacks into the temporary folder, and its libraries only where it believes to be on a server of Amazon. */
function inflate(folder: string): void {
  const program = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())';
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], {
    cwd: packageRoot,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`cannot unpack @sparticuz/chromium: ${stderr}`);
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`;
}
