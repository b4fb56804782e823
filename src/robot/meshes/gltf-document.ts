import Type, { type Static } from "typebox";
import { findProblems } from "../../runtime/schema-problems.js";
import { meshError } from "./triangle-mesh.js";

const Index = Type.Integer({ minimum: 0, maximum: 0xffffffff });
const vector = (length: number) => Type.Array(Type.Number(), { minItems: length, maxItems: length });

const PrimitiveSchema = Type.Object({
  attributes: Type.Optional(Type.Object({ POSITION: Type.Optional(Index) })),
  indices: Type.Optional(Index),
  mode: Type.Optional(Index),
  extensions: Type.Optional(Type.Object({})),
});

const NodeSchema = Type.Object({
  children: Type.Optional(Type.Array(Index)),
  mesh: Type.Optional(Index),
  matrix: Type.Optional(vector(16)),
  translation: Type.Optional(vector(3)),
  rotation: Type.Optional(vector(4)),
  scale: Type.Optional(vector(3)),
});

const AccessorSchema = Type.Object({
  bufferView: Type.Optional(Index),
  byteOffset: Type.Optional(Index),
  componentType: Type.Optional(Index),
  count: Type.Optional(Index),
  type: Type.Optional(Type.String()),
  sparse: Type.Optional(Type.Object({})),
});

const BufferViewSchema = Type.Object({
  buffer: Type.Optional(Index),
  byteOffset: Type.Optional(Index),
  /** 0 would read the same bytes without end. */
  byteStride: Type.Optional(Type.Integer({ minimum: 1, maximum: 252 })),
});

/** The parts of a glTF document that say where triangles are; all else is passed over. */
const GltfSchema = Type.Object({
  scene: Type.Optional(Index),
  scenes: Type.Optional(Type.Array(Type.Object({ nodes: Type.Optional(Type.Array(Index)) }))),
  nodes: Type.Optional(Type.Array(NodeSchema)),
  meshes: Type.Optional(Type.Array(Type.Object({ primitives: Type.Optional(Type.Array(PrimitiveSchema)) }))),
  accessors: Type.Optional(Type.Array(AccessorSchema)),
  bufferViews: Type.Optional(Type.Array(BufferViewSchema)),
});

export type Gltf = Static<typeof GltfSchema>;
export type GltfNode = Static<typeof NodeSchema>;
export type GltfPrimitive = Static<typeof PrimitiveSchema>;
export type GltfAccessor = Static<typeof AccessorSchema>;

/** The description in a GLB file, checked: fields that matter are of the right kind. */
export function parseGltf(text: string): Gltf {
  const value = parseJson(text);
  const [problem] = findProblems(GltfSchema, value);
  if (problem === undefined) return value as Gltf;
  throw meshError(
    `the description in a GLB file is wrong at ${problem.path.slice(0, 80)}`,
    problem.expected,
    problem.found,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw meshError("the description in a GLB file is not JSON");
  }
}
