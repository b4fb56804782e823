import type { TriangleMesh } from "../../../src/robot/meshes/triangle-mesh.js";
import { writeStl } from "../../../src/robot/meshes/write-stl.js";

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]);
const faces = [
  [0, 2, 1],
  [1, 2, 3],
  [4, 5, 6],
  [5, 7, 6],
  [0, 1, 4],
  [1, 5, 4],
  [2, 6, 3],
  [3, 6, 7],
  [0, 4, 2],
  [2, 4, 6],
  [1, 3, 5],
  [3, 7, 5],
];

/** A cube of edge 1 with a corner at the origin. */
export const cube: TriangleMesh = {
  positions: Float64Array.from(corners.flat()),
  triangles: Uint32Array.from(faces.flat()),
};

/** Boxes from one corner to the other: x, y, z of both [m]. */
export function boxes(list: readonly (readonly [number, number, number, number, number, number])[]): TriangleMesh {
  const positions = list.flatMap((box) =>
    corners.flatMap((corner) => corner.map((share, k) => box[k]! + share! * (box[k + 3]! - box[k]!))),
  );
  const triangles = list.flatMap((_, i) => faces.flat().map((corner) => 8 * i + corner!));
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

export const binaryStl: Buffer = writeStl(cube);

export const textStl: Buffer = Buffer.from(
  `solid cube\n${faces
    .map(
      (face) =>
        `facet normal 0 0 0\nouter loop\n${face.map((v) => `vertex ${corners[v]!.join(" ")}`).join("\n")}\nendloop\nendfacet`,
    )
    .join("\n")}\nendsolid cube\n`,
);

export const obj: Buffer = Buffer.from(
  `# cube\n${corners.map((c) => `v ${c.join(" ")}`).join("\n")}\nvn 0 0 1\n${faces
    .map((face, i) => `f ${face.map((v) => (i % 2 === 0 ? `${v + 1}//1` : `${v - 8}`)).join(" ")}`)
    .join("\n")}\n`,
);

/** In millimetres, turned by a quarter about z and moved by (2, 0, 0) m; the cube as polygons. */
export const collada: Buffer = Buffer.from(`<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="24">${corners
      .flat()
      .map((v) => 1000 * v)
      .join(" ")}</float_array>
      <technique_common><accessor source="#pa" count="8" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <polylist count="12"><input semantic="NORMAL" source="#n" offset="1"/><input semantic="VERTEX" source="#v" offset="0"/>
      <vcount>${faces.map(() => 3).join(" ")}</vcount><p>${faces
        .flat()
        .map((v) => `${v} 0`)
        .join(" ")}</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node><translate>2000 0 0</translate><rotate>0 0 1 90</rotate>
    <node><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`);

/** The cube twice as large, moved by (1, 0, 0). */
export const cubeGltf: object = {
  asset: { version: "2.0" },
  scenes: [{ nodes: [0] }],
  nodes: [
    { children: [1], translation: [1, 0, 0] },
    { mesh: 0, scale: [2, 2, 2] },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 8, type: "VEC3" },
    { bufferView: 1, componentType: 5123, count: 36, type: "SCALAR" },
  ],
  bufferViews: [
    { buffer: 0, byteLength: 96 },
    { buffer: 0, byteOffset: 96, byteLength: 72 },
  ],
  buffers: [{ byteLength: 168 }],
};

export const glb: Buffer = makeGlb(cubeGltf);

export function makeGlb(json: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const binary = Buffer.concat([
    Buffer.from(Float32Array.from(cube.positions).buffer),
    Buffer.from(Uint16Array.from(cube.triangles).buffer),
  ]);
  const head = Buffer.alloc(12);
  head.write("glTF");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(28 + padded.length + binary.length, 8);
  return Buffer.concat([head, chunk(0x4e4f534a, padded), chunk(0x004e4942, binary)]);
}

function chunk(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(kind, 4);
  return Buffer.concat([head, bytes]);
}
