import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { RobotFiles } from "../../../src/robot/files/robot-files.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { expandXacro } from "../../../src/robot/xacro/expand-xacro.js";
import type { ErrorCode } from "../../../src/runtime/error-catalogue.js";
import { expectCode } from "../fixtures/small-arm.js";

const root = mkdtempSync(join(tmpdir(), "flycatcher-xacro-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes files into a fresh folder and expands the first of them. */
function expand(files: Readonly<Record<string, string>>, args: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(root, "case-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const file = join(folder, Object.keys(files)[0]!);
  return expandXacro(file, { files: new RobotFiles(file), arguments: args }).replace(/\s*\n\s*/g, "");
}

/** What a document with this inside expands to, without `<robot>` around it. */
function inside(text: string, args: Readonly<Record<string, string>> = {}): string {
  const document = `<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">${text}</robot>`;
  return /^<robot name="r">(.*)<\/robot>$/s.exec(expand({ "r.xacro": document }, args))?.[1] ?? "";
}

describe("expandXacro", () => {
  it("evaluates properties when they are used, in the scope they are used in", () => {
    expect(
      inside(`<xacro:property name="b" value="\${2 * a}"/><xacro:property name="a" value="3"/><x v="\${b}"/>`),
    ).toBe(`<x v="6"/>`);
  });

  it("calls macros with defaults, inherited values, blocks and the contents of blocks", () => {
    const macro = `<xacro:macro name="m" params="name size:=\${1 + 1} label:='a b' prefix:=^ side:=^|left *origin **more">
      <x n="\${prefix}\${name}" s="\${size}" l="\${label}" d="\${side}"><xacro:insert_block name="origin"/><xacro:insert_block name="more"/></x>
    </xacro:macro><xacro:property name="prefix" value="p_"/>`;
    const call = `<xacro:m name="k"><origin xyz="0 0 \${3 / 2}"/><all><a/><b/></all></xacro:m>`;
    expect(inside(macro + call)).toBe(`<x n="p_k" s="2" l="a b" d="left"><origin xyz="0 0 1.5"/><a/><b/></x>`);
  });

  it("has conditions, arguments, scopes and named elements", () => {
    expect(
      inside(
        `<xacro:arg name="on" default="false"/><xacro:if value="$(arg on)"><a/></xacro:if><xacro:unless value="$(arg on)"><b/></xacro:unless>`,
      ),
    ).toBe("<b/>");
    expect(
      inside(`<xacro:arg name="on" default="false"/><xacro:if value="$(arg on)"><a/></xacro:if>`, { on: "true" }),
    ).toBe("<a/>");
    const setter = `<xacro:macro name="set"><xacro:property name="v" value="7" scope="parent"/></xacro:macro>`;
    expect(inside(`${setter}<xacro:set/><x v="\${v}"/>`)).toBe(`<x v="7"/>`);
    expect(inside(`<xacro:element xacro:name="\${'li' + 'nk'}" name="a"/>`)).toBe(`<link name="a"/>`);
    expect(inside(`<x><xacro:attribute name="v" value="\${1}"/></x>`)).toBe(`<x v="1"/>`);
  });

  it("reads includes and YAML files with units, beside the file or in its package", () => {
    const files = {
      "pkg/urdf/r.xacro": `<robot xmlns:xacro="x" name="r"><xacro:include filename="$(find bot)/urdf/inc/m.xacro"/><xacro:m/></robot>`,
      "pkg/package.xml": "<package><name>bot</name></package>",
      "pkg/urdf/inc/m.xacro": `<robot xmlns:xacro="x"><xacro:macro name="m"><xacro:property name="c" value="\${xacro.load_yaml('$(find bot)/config/c.yaml')}"/>
        <x a="\${c['limits']['up']}" b="\${c.list[1]}" c="\${'on' if c['limits']['has'] else 'off'}"/></xacro:macro></robot>`,
      "pkg/config/c.yaml": "limits: {up: !degrees 180.0, has: true}\nlist: [1, 2.5]\n",
    };
    expect(expand(files)).toBe(`<robot name="r"><x a="3.141592653589793" b="2.5" c="on"/></robot>`);
  });

  it.each([
    ["-2 ** 2", "-4"],
    ["2 ** 3 ** 2", "512"],
    ["7 // 2 + 7 % 3 - -7 % 3", "2"],
    ["1 < 2 < 3 and not 1 > 2", "True"],
    ["'b' in ['a', 'b'] or missing", "True"],
    ["0 and missing", "0"],
    ["1 if True else missing", "1"],
    ["round(radians(180), 4) == 3.1416", "True"],
    ["'1 2 3'.split(' ')[-1] + '!'", "3!"],
    ["dict(a=1, b=2)['b'] + len([1, 2, 3])", "5"],
    ["max(1, 2) * abs(-3) + sqrt(16) + int('4')", "14"],
    ["{'k': 5}['k']", "5"],
    ["' '.join(['0', '1'])", "0 1"],
  ])("%s is %s", (expression, value) => {
    expect(inside(`<x v="\${${expression.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}}"/>`)).toBe(
      `<x v="${value}"/>`,
    );
  });

  it("keeps escaped signs and text", () => {
    expect(inside(`<x v="$\${a} $$(b) $1"/>`)).toBe(`<x v="\${a} $(b) $1"/>`);
    expect(inside("<p>a &amp; b</p>")).toBe("<p>a &amp; b</p>");
  });

  it.each<readonly [string, string, ErrorCode]>([
    ["an unknown property", `<x v="\${nothing}"/>`, "FLY_XACRO_INVALID"],
    ["an unknown function", `<x v="\${open('/etc/passwd')}"/>`, "FLY_XACRO_INVALID"],
    ["an unknown macro", "<xacro:nothing/>", "FLY_XACRO_INVALID"],
    ["a missing parameter", `<xacro:macro name="m" params="a"/><xacro:m/>`, "FLY_XACRO_INVALID"],
    ["an unknown parameter", `<xacro:macro name="m"/><xacro:m a="1"/>`, "FLY_XACRO_INVALID"],
    ["an argument without a value", `<x v="$(arg a)"/>`, "FLY_XACRO_INVALID"],
    ["the environment", `<x v="$(env HOME)"/>`, "FLY_XACRO_INVALID"],
    ["a bracket that stays open", `<x v="\${1"/>`, "FLY_XACRO_INVALID"],
    ["a division by zero", `<x v="\${1 / 0}"/>`, "FLY_XACRO_INVALID"],
    ["a property that needs itself", `<xacro:property name="a" value="\${a + 1}"/><x v="\${a}"/>`, "FLY_XACRO_INVALID"],
    ["a text without end", `<x v="\${'a' * 10 ** 9}"/>`, "FLY_XACRO_INVALID"],
    ["a macro without end", `<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>`, "FLY_XACRO_TOO_LARGE"],
    [
      "a macro that doubles",
      `<xacro:macro name="m0"/>${Array.from({ length: 60 }, (_, i) => `<xacro:macro name="m${i + 1}"><xacro:m${i}/><xacro:m${i}/></xacro:macro>`).join("")}<xacro:m60/>`,
      "FLY_XACRO_TOO_LARGE",
    ],
    [
      "a long text used often",
      `<xacro:property name="a0" value="${"a".repeat(64)}"/>${Array.from({ length: 14 }, (_, i) => `<xacro:property name="a${i + 1}" value="\${a${i}}\${a${i}}"/>`).join("")}${'<x v="${a14}"/>'.repeat(1000)}`,
      "FLY_XACRO_TOO_LARGE",
    ],
    ["deep brackets", `<x v="\${${"(".repeat(1000)}1${")".repeat(1000)}}"/>`, "FLY_XACRO_INVALID"],
    ["an unknown package", `<xacro:include filename="$(find nowhere)/a.xacro"/>`, "FLY_ROBOT_FILE_MISSING"],
    ["an include that is not there", `<xacro:include filename="a.xacro"/>`, "FLY_ROBOT_FILE_MISSING"],
    ["an include elsewhere", `<xacro:include filename="/etc/passwd"/>`, "FLY_ROBOT_FILE_OUTSIDE"],
    ["an include of itself", `<xacro:include filename="r.xacro"/>`, "FLY_XACRO_TOO_LARGE"],
    ["a YAML file elsewhere", `<x v="\${xacro.load_yaml('/etc/passwd')}"/>`, "FLY_ROBOT_FILE_OUTSIDE"],
  ])("%s is refused", (_, text, code) => {
    expectCode(() => inside(text), code);
  });

  it("loadRobot takes a xacro file", () => {
    const folder = mkdtempSync(join(root, "load-"));
    const file = join(folder, "two.urdf.xacro");
    writeFileSync(
      file,
      `<robot xmlns:xacro="x" name="two"><xacro:arg name="n" default="1"/><link name="a"/><link name="b"/>
       <joint name="j$(arg n)" type="continuous"><parent link="a"/><child link="b"/></joint></robot>`,
    );
    expect(loadRobot(file, { arguments: { n: "7" } }).model.dofNames).toEqual(["j7"]);
  });
});
