import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { readMesh } from "../../../src/robot/meshes/load-mesh.js";
import type { TriangleMesh } from "../../../src/robot/meshes/triangle-mesh.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { expectCode } from "../fixtures/small-arm.js";
import { binaryStl, collada, cube, glb, makeGlb, obj, textStl } from "./sample-meshes.js";

/** Every triangle as the text of its corners, in order. */
function trianglesOf({ positions, triangles }: TriangleMesh): string[] {
  const corner = (vertex: number) => [0, 1, 2].map((k) => (positions[3 * vertex + k]! + 0).toFixed(6)).join(" ");
  return Array.from({ length: triangles.length / 3 }, (_, t) =>
    [0, 1, 2].map((k) => corner(triangles[3 * t + k]!)).join(", "),
  );
}

function moved(move: (x: number, y: number, z: number) => number[]): TriangleMesh {
  const positions = Float64Array.from(
    Array.from({ length: 8 }, (_, i) =>
      move(...(cube.positions.slice(3 * i, 3 * i + 3) as unknown as [number, number, number])),
    ).flat(),
  );
  return { positions, triangles: cube.triangles };
}

describe("readMesh", () => {
  it.each([
    ["binary STL", binaryStl, "a.STL", cube],
    ["binary STL that begins with solid", Buffer.concat([Buffer.from("solid "), binaryStl.subarray(6)]), "a.stl", cube],
    ["text STL", textStl, "a.stl", cube],
    ["OBJ", obj, "a.obj", cube],
    ["COLLADA with units and nodes", collada, "a.dae", moved((x, y, z) => [2 - y, x, z])],
    ["GLB with nodes", glb, "a.glb", moved((x, y, z) => [1 + 2 * x, 2 * y, 2 * z])],
  ])("%s", (_, bytes, name, expected) => {
    const mesh = readMesh(bytes, name);
    expect(trianglesOf(mesh)).toEqual(trianglesOf(expected));
    expect(mesh.positions).toHaveLength(24);
  });

  it.each([
    ["an unknown kind", binaryStl, "a.ply"],
    ["an empty file", Buffer.alloc(0), "a.stl"],
    ["an STL that is cut off", binaryStl.subarray(0, 300), "a.stl"],
    ["an STL without triangles", Buffer.alloc(84), "a.stl"],
    [
      "an STL with NaN",
      Buffer.concat([binaryStl.subarray(0, 96), Buffer.from([0, 0, 0xc0, 0x7f]), binaryStl.subarray(100)]),
      "a.stl",
    ],
    ["an OBJ with a corner too many", Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), "a.obj"],
    ["a DAE that is no XML", Buffer.from("<COLLADA>"), "a.dae"],
    ["a DAE with a document type", Buffer.from("<!DOCTYPE a><COLLADA/>"), "a.dae"],
    [
      "a DAE whose nodes repeat",
      Buffer.from(
        `<COLLADA><library_nodes><node id="n"><instance_node url="#n"/></node></library_nodes><library_visual_scenes><visual_scene id="s"><instance_node url="#n"/></visual_scene></library_visual_scenes></COLLADA>`,
      ),
      "a.dae",
    ],
    ["a GLB whose nodes repeat", makeGlb({ scenes: [{ nodes: [0] }], nodes: [{ children: [0, 0] }] }), "a.glb"],
    [
      "a GLB with too few numbers",
      makeGlb({
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 1e9, type: "VEC3" }],
        bufferViews: [{ buffer: 0 }],
      }),
      "a.glb",
    ],
    [
      "a compressed GLB",
      makeGlb({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ extensions: { KHR_draco_mesh_compression: {} } }] }] }),
      "a.glb",
    ],
  ])("%s is refused", (_, bytes, name) => {
    expectCode(() => readMesh(bytes, name), "FLY_MESH_INVALID");
  });

  it("damaged files are read or refused with a code", { timeout: 180_000 }, () => {
    const random = new Random("mesh-fuzz");
    const samples = [
      ["a.stl", binaryStl],
      ["a.stl", textStl],
      ["a.obj", obj],
      ["a.dae", collada],
      ["a.glb", glb],
    ] as const;
    let read = 0;
    for (let i = 0; i < deep(2_000, 30_000); i++) {
      const [name, bytes] = samples[random.integer(samples.length)]!;
      try {
        const mesh = readMesh(damaged(bytes, random), name);
        expect(mesh.positions.every(Number.isFinite)).toBe(true);
        read++;
      } catch (error) {
        if (!(error instanceof FlycatcherError)) throw error;
        expect(error.code).toBe("FLY_MESH_INVALID");
      }
    }
    expect(read).toBeGreaterThan(deep(100, 1500));
  });
});

/** Some bytes changed, doubled or cut out. */
function damaged(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let k = 1 + random.integer(4); k > 0; k--) {
    const at = random.integer(Math.max(changed.length, 1));
    const length = random.integer(24);
    const kind = random.integer(4);
    if (kind === 0) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]);
    else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at + length), changed.subarray(at)]);
    else if (changed.length > 0) changed[at] = random.integer(256);
  }
  return changed;
}
