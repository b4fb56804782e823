import { describe, expect, it } from "vitest";
import { readMesh } from "../../../src/robot/meshes/load-mesh.js";
import type { TriangleMesh } from "../../../src/robot/meshes/triangle-mesh.js";
import { expectCode } from "../fixtures/small-arm.js";
import { binaryStl, collada, cube, cubeGltf, glb, makeGlb, obj, textStl } from "./sample-meshes.js";

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
      "a GLB that reads the same bytes without end",
      makeGlb({
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 2 ** 31, type: "VEC3" }],
        bufferViews: [{ buffer: 0, byteStride: 0 }],
      }),
      "a.glb",
    ],
    [
      "a GLB whose nodes double, each with many parts",
      makeGlb({
        ...cubeGltf,
        scenes: [{ nodes: [0] }],
        nodes: Array.from({ length: 15 }, (_, k) => (k < 14 ? { children: [k + 1, k + 1] } : { mesh: 0 })),
        meshes: [{ primitives: Array.from({ length: 100 }, () => ({ attributes: { POSITION: 0 }, indices: 1 })) }],
      }),
      "a.glb",
    ],
    ["a GLB with a part that is none", makeGlb({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [null] }] }), "a.glb"],
    [
      "a DAE whose primitive has a hundred thousand inputs",
      Buffer.from(
        collada.toString().replace("<vcount>", `${'<input semantic="NORMAL" source="#n"/>'.repeat(100_000)}<vcount>`),
      ),
      "a.dae",
    ],
    [
      "a DAE with a wide node used often",
      Buffer.from(
        `<COLLADA><library_nodes><node id="n">${"<node/>".repeat(1000)}</node></library_nodes><library_visual_scenes><visual_scene>${'<instance_node url="#n"/>'.repeat(1000)}</visual_scene></library_visual_scenes></COLLADA>`,
      ),
      "a.dae",
    ],
    [
      "a compressed GLB",
      makeGlb({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ extensions: { KHR_draco_mesh_compression: {} } }] }] }),
      "a.glb",
    ],
  ])("%s is refused", (_, bytes, name) => {
    expectCode(() => readMesh(bytes, name), "FLY_MESH_INVALID");
  });
});
