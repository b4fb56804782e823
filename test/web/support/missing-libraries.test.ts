import { describe, expect, it } from "vitest";
import { describeMissing, missingLibraries, parseMissing } from "./missing-libraries.js";

const lddOutput = `\tlinux-vdso.so.1 (0x00007f4244cfb000)
\tlibnspr4.so => not found
\tlibnss3.so => not found
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f42391c7000)
\tlibplc4.so => not found
\tlibnspr4.so => not found
`;

describe("missing libraries", () => {
  it("are those that ldd does not find, each once", () => {
    expect(parseMissing(lddOutput)).toEqual(["libnspr4.so", "libnss3.so", "libplc4.so"]);
  });

  it("are named with the packages of Debian that have them", () => {
    expect(describeMissing(parseMissing(lddOutput))).toBe(
      "missing shared libraries: libnspr4.so, libnss3.so, libplc4.so (Debian: apt-get install libnspr4 libnss3)",
    );
  });

  it("are named where the package is not known", () => {
    expect(describeMissing(["libother.so.2"])).toBe("missing shared libraries: libother.so.2");
  });

  it("are none of a program that runs, nor of a file that is not a program", () => {
    expect(missingLibraries(process.execPath, {})).toEqual([]);
    expect(missingLibraries("/dev/null", {})).toEqual([]);
    expect(describeMissing([])).toBe("no shared library is missing");
  });
});
