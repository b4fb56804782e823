import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { writeStl } from "../../src/robot/meshes/write-stl.js";
import { sceneOf } from "../../src/service/robot-scene.js";
import { lBracket, sphere } from "../collision/making/surfaces.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-scene-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function visual(file: string): string {
  return `<visual><origin xyz="0 0 1"/><geometry><mesh filename="${file}" scale="2 2 2"/></geometry></visual>`;
}

describe("the scene of a robot with meshes", () => {
  writeFileSync(join(folder, "l.stl"), writeStl(lBracket));
  writeFileSync(join(folder, "ball.stl"), writeStl(sphere(0.1)));
  writeFileSync(join(folder, "bad.stl"), "solid");
  writeFileSync(
    join(folder, "r.urdf"),
    `<robot name="r"><link name="a">${visual("l.stl")}${visual("bad.stl")}${visual("none.stl")}${visual("/etc/passwd")}</link>
     <link name="b">${visual("ball.stl").replaceAll("visual", "collision")}</link>
     <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>`,
  );
  const robot = loadRobot(join(folder, "r.urdf"));
  const scene = sceneOf(robot);

  it("has their triangles, and leaves out what cannot be read", () => {
    expect(scene.links[0]!.visuals).toHaveLength(1);
    const { geometry } = scene.links[0]!.visuals[0]!;
    if (geometry.type !== "mesh") throw new Error("expected a mesh");
    const positions = new Float32Array(new Uint8Array(Buffer.from(geometry.positions, "base64")).buffer);
    const triangles = new Uint32Array(new Uint8Array(Buffer.from(geometry.triangles, "base64")).buffer);
    expect(triangles).toHaveLength(lBracket.triangles.length);
    expect(Math.max(...positions)).toBeCloseTo(0.6, 6);
    expect(Math.max(...triangles)).toBe(positions.length / 3 - 1);
  });

  it("shows collision shapes where there are no visual ones, and is made once", () => {
    expect(scene.links[1]!.visuals[0]!.geometry.type).toBe("mesh");
    expect(sceneOf(robot)).toBe(scene);
  });
});
