import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-xacro-fuzz-"));
const opened = vi.hoisted((): string[] => []);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const readFileSync = ((path: string, ...rest: unknown[]) => {
    opened.push(String(path));
    return (fs.readFileSync as (...args: unknown[]) => unknown)(path, ...rest);
  }) as typeof fs.readFileSync;
  return { ...fs, readFileSync };
});

const text = `<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">
  <xacro:include filename="$(dirname)/part.xacro"/><xacro:arg name="side" default="left"/>
  <xacro:property name="length" value="0.4"/><xacro:property name="config" value="\${xacro.load_yaml('c.yaml')}"/>
  <xacro:macro name="arm" params="name parent size:=\${length * 2} flip:=false *origin **more">
    <link name="\${name}"><xacro:insert_block name="more"/></link>
    <joint name="\${name}_joint" type="revolute"><xacro:insert_block name="origin"/><parent link="\${parent}"/><child link="\${name}"/>
      <xacro:if value="\${flip}"><axis xyz="0 0 -1"/></xacro:if><xacro:unless value="\${flip}"><axis xyz="0 0 1"/></xacro:unless>
      <limit lower="\${-pi / 2}" upper="\${config['limits'][0] if size > 0.1 else radians(90)}" velocity="\${config.speed}" effort="1"/></joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:arm name="$(arg side)_upper" parent="base"><origin xyz="0 0 \${length}"/><all><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></all></xacro:arm>
  <xacro:arm name="\${'fore' + 'arm'}" parent="$(arg side)_upper" flip="true"><origin xyz="0 0 1"/><none/></xacro:arm>
  <xacro:tool parent="forearm"/>
</robot>`;
const part = `<robot xmlns:xacro="x"><xacro:macro name="tool" params="parent"><link name="tool"/>
  <joint name="tool_joint" type="fixed"><parent link="\${parent}"/><child link="tool"/></joint></xacro:macro></robot>`;
const yaml = "limits: [1.5, !degrees 90]\nspeed: 2\n";

const snippets = [
  "/etc/passwd",
  "../../../etc/passwd",
  "package://r/../../etc/passwd",
  "file:///etc/passwd",
  "$(find x)",
  "$(env HOME)",
  "$(arg side)",
  "${length}",
  "${1/0}",
  "${[1]*2}",
  "${'a'*99999999}",
  "${((((",
  "${config}",
  "${pi**99999}",
  "<xacro:tool parent='base'/>",
  "]]>",
  "<!DOCTYPE a>",
  "${xacro.load_yaml('/etc/passwd')}",
  "$(dirname)/../..",
  "&lt;",
  "r.xacro",
  "name",
  'scope="global"',
  "${range(10**9)}",
  "&#0;",
  "$${",
  "!!js/function",
];

/** One random change of a text. */
function mutate(source: string, random: Random): string {
  const at = random.integer(source.length);
  const length = 1 + random.integer(30);
  const snippet = snippets[random.integer(snippets.length)]!;
  switch (random.integer(6)) {
    case 0:
      return source.slice(0, at) + source.slice(at + length);
    case 1:
      return source.slice(0, at + length) + source.slice(at);
    case 2:
      return source.slice(0, at) + String.fromCharCode(random.integer(256)) + source.slice(at + 1);
    case 3:
      return source.slice(0, at) + snippet + source.slice(at + length);
    default: {
      const values = [...source.matchAll(/"[^"]*"/g)];
      const chosen = values[random.integer(Math.max(values.length, 1))];
      if (chosen === undefined) return source;
      return `${source.slice(0, chosen.index)}"${snippet}"${source.slice(chosen.index + chosen[0].length)}`;
    }
  }
}

describe("mutated xacro files", () => {
  it("load or raise a coded error, soon, and no file outside is read", { timeout: 600_000 }, () => {
    const random = new Random("xacro-fuzz");
    const file = join(folder, "r.xacro");
    const outcomes = new Map<string, number>();
    let slowest = 0;
    // Flycatcher's own files were read when its modules were loaded.
    opened.length = 0;
    for (let i = 0; i < deep(1_000, 30_000); i++) {
      const changes = 1 + random.integer(2);
      const files = { "r.xacro": text, "part.xacro": part, "c.yaml": yaml };
      for (let k = 0; k < changes; k++) {
        const name = (["r.xacro", "r.xacro", "r.xacro", "part.xacro", "c.yaml"] as const)[random.integer(5)]!;
        files[name] = mutate(files[name], random);
      }
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      const started = process.cpuUsage().user;
      const outcome = outcomeOf(file);
      slowest = Math.max(slowest, process.cpuUsage().user - started);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.filter((path) => !path.startsWith(folder))).toEqual([]);
    expect(outcomes.get("loaded")).toBeGreaterThan(deep(50, 1500));
    expect(outcomes.size).toBeGreaterThan(6);
    // Microseconds of this process: the machine's other work does not count.
    expect(slowest).toBeLessThan(3e6);
    expect(existsSync(file) && readFileSync(file).length).toBeGreaterThan(0);
  });
});

function outcomeOf(file: string): string {
  try {
    loadRobot(file);
    return "loaded";
  } catch (error) {
    if (error instanceof FlycatcherError && error.code !== "FLY_INTERNAL") return error.code;
    throw error;
  }
}
