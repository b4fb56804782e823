import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { surfaceOf } from "../../src/collision/making/make-hulls.js";
import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotMeshes } from "../../src/robot/meshes/load-mesh.js";
import { binaryStl } from "../robot/meshes/sample-meshes.js";
import { deep } from "../support/deep.js";
import { mutateElements, mutateText, outsidePaths } from "../support/mutate.js";
import { Outcomes } from "./support/outcomes.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-xacro-fuzz-"));
const robotFolder = join(folder, "robot");
const packageFolder = join(folder, "package");
const opened = vi.hoisted((): string[] => []);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const noting =
    (read: (...args: never[]) => unknown) =>
    (path: string, ...rest: unknown[]) => {
      opened.push(fs.existsSync(path) ? fs.realpathSync(path) : String(path));
      return (read as (...args: unknown[]) => unknown)(path, ...rest);
    };
  const { readFileSync, openSync, createReadStream, readdirSync } = fs;
  const noted = { readFileSync, openSync, createReadStream, readdirSync };
  return { ...fs, ...Object.fromEntries(Object.entries(noted).map(([name, read]) => [name, noting(read)])) };
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
  <xacro:arm name="$(arg side)_upper" parent="base"><origin xyz="0 0 \${length}"/><all><visual><geometry><mesh filename="link.stl" scale="0.1 0.1 0.1"/></geometry></visual></all></xacro:arm>
  <xacro:arm name="\${'fore' + 'arm'}" parent="$(arg side)_upper" flip="true"><origin xyz="0 0 1"/><none/></xacro:arm>
  <xacro:tool parent="forearm"/>
</robot>`;
const part = `<robot xmlns:xacro="x"><xacro:macro name="tool" params="parent"><link name="tool"/>
  <joint name="tool_joint" type="fixed"><parent link="\${parent}"/><child link="tool"/></joint></xacro:macro></robot>`;
const yaml = "limits: [1.5, !degrees 90]\nspeed: 2\n";

const snippets = [
  ...outsidePaths,
  ...["link.stl", "outside.stl", "outside/secret.stl", "package://package/mesh.stl", "package://package/../secret.stl"],
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

const sidecar = JSON.stringify({
  schemaVersion: 1,
  urdf: "r.xacro",
  description: "",
  groups: [
    { name: "arm", kind: "arm", joints: ["left_upper_joint", "forearm_joint"], baseLink: "base", tipLink: "tool" },
  ],
  frames: { world: "base" },
});

const files = { "robot.json": sidecar, "r.xacro": text, "part.xacro": part, "c.yaml": yaml };
type FileName = keyof typeof files;
/** The one with most in it is changed most often. */
const changed: readonly FileName[] = ["r.xacro", "r.xacro", "r.xacro", "r.xacro", "part.xacro", "c.yaml", "robot.json"];

function mutate(source: string, random: Random): string {
  return random.integer(6) === 0 ? mutateElements(source, random) : mutateText(source, random, snippets);
}

/** The robot's folder, a package that is given, and a secret beside both, to which a link in the robot's folder leads. */
function makeFolders(): void {
  for (const path of [robotFolder, packageFolder, join(folder, "secrets")]) mkdirSync(path);
  for (const path of ["robot/link.stl", "package/mesh.stl", "secrets/secret.stl", "secret.stl"]) {
    writeFileSync(join(folder, path), binaryStl);
  }
  symlinkSync(join(folder, "secret.stl"), join(robotFolder, "outside.stl"));
  symlinkSync(join(folder, "secrets"), join(robotFolder, "outside"));
}

describe("a robot's folder with mutated files", () => {
  it("loads or raises a coded error, and no file outside is read", { timeout: 1_800_000 }, () => {
    makeFolders();
    const random = new Random("xacro-fuzz");
    const outcomes = new Outcomes();
    const insides = [robotFolder, packageFolder].map((inside) => `${inside}/`);
    const read = new Set<string>();
    for (let i = 0; i < deep(400, 100_000); i++) {
      const contents: Record<string, string> = { ...files };
      for (let k = 1 + random.integer(2); k > 0; k--) {
        const name = changed[random.integer(changed.length)]!;
        contents[name] = mutate(contents[name]!, random);
      }
      for (const [name, content] of Object.entries(contents)) writeFileSync(join(robotFolder, name), content);
      // Flycatcher's own files are read when its modules are loaded.
      opened.length = 0;
      outcomes.note(load, () => JSON.stringify(contents));
      for (const path of opened) read.add(path);
      expect(opened.filter((path) => !insides.some((inside) => path.startsWith(inside)))).toEqual([]);
    }
    expect(outcomes.of("ok")).toBeGreaterThan(deep(20, 3000));
    expect(outcomes.kinds).toBeGreaterThan(6);
    for (const name of ["robot.json", "r.xacro", "part.xacro", "c.yaml", "link.stl"]) {
      expect([...read]).toContain(join(robotFolder, name));
    }
    expect(readFileSync(join(folder, "secret.stl")).length).toBeGreaterThan(0);
  });
});

/** All that opens a file of a robot: URDF with what it includes, and the meshes. */
function load(): void {
  const robot = loadRobot(join(robotFolder, "robot.json"), { packages: [packageFolder] });
  const meshes = new RobotMeshes(robot.files!);
  for (const { visuals, collisions } of robot.shapes) {
    for (const shape of [...visuals, ...collisions]) surfaceOf(shape, meshes);
  }
}
