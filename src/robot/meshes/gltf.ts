import { type Gltf, type GltfAccessor, type GltfNode, type GltfPrimitive, parseGltf } from "./gltf-document.js";
import { identity4, type Matrix4, MeshBuilder, multiply4 } from "./mesh-builder.js";
import { meshError, type TriangleMesh } from "./triangle-mesh.js";

const magic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;
/** Kinds of primitive: triangles, strips, fans. */
const modes = { triangles: 4, strip: 5, fan: 6 };

/** Reads GLB, binary glTF 2.0, with plain (not compressed) triangles in the file itself. Its axes are left as they are. */
export function readGlb(bytes: Buffer): TriangleMesh {
  const { json, binary } = chunksOf(bytes);
  return new GltfReader(json, binary).read();
}

function chunksOf(bytes: Buffer): { json: Gltf; binary: Buffer } {
  if (bytes.length < 20 || bytes.readUInt32LE(0) !== magic || bytes.readUInt32LE(4) !== 2) {
    throw meshError("not a GLB file of version 2");
  }
  let json: Gltf | undefined;
  let binary: Buffer = Buffer.alloc(0);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [length, kind] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (chunk.length !== length) throw meshError("a GLB file is cut off");
    if (kind === jsonChunk && json === undefined) json = parseGltf(chunk.toString("utf8"));
    else if (kind === binaryChunk) binary = chunk;
    at += 8 + length;
  }
  if (json === undefined) throw meshError("a GLB file has no description");
  return { json, binary };
}

class GltfReader {
  readonly #json: Gltf;
  readonly #binary: Buffer;
  readonly #builder = new MeshBuilder();

  constructor(json: Gltf, binary: Buffer) {
    this.#json = json;
    this.#binary = binary;
  }

  read(): TriangleMesh {
    const scene = this.#json.scenes?.[this.#json.scene ?? 0];
    const roots = scene?.nodes ?? (this.#json.nodes ?? []).map((_, i) => i);
    for (const node of roots) this.#addNode(node, identity4, 0);
    return this.#builder.finish();
  }

  #addNode(index: number, above: Matrix4, depth: number): void {
    this.#builder.place(depth);
    const node = this.#json.nodes?.[index];
    if (node === undefined) throw meshError("a GLB file has no such node", undefined, String(index));
    const place = multiply4(above, nodeMatrix(node));
    const mesh = node.mesh === undefined ? undefined : this.#json.meshes?.[node.mesh];
    for (const primitive of mesh?.primitives ?? []) this.#addPrimitive(primitive, place, depth);
    for (const child of node.children ?? []) this.#addNode(child, place, depth + 1);
  }

  #addPrimitive(primitive: GltfPrimitive, place: Matrix4, depth: number): void {
    this.#builder.place(depth);
    const mode = primitive.mode ?? modes.triangles;
    if (mode < modes.triangles) return;
    if (Object.keys(primitive.extensions ?? {}).some((name) => /compression/.test(name))) {
      throw meshError("a GLB file is compressed", "plain triangles", Object.keys(primitive.extensions!).join(", "));
    }
    const positions = this.#numbers(primitive.attributes?.POSITION, 3);
    const order =
      primitive.indices === undefined
        ? Array.from({ length: positions.length / 3 }, (_, i) => i)
        : this.#numbers(primitive.indices, 1);
    this.#builder.add(positions, trianglesOf(order, mode), place);
  }

  #numbers(accessor: number | undefined, width: number): number[] {
    const { bufferView, byteOffset = 0, componentType = 0, count = 0, sparse } = this.#accessor(accessor, width);
    const view = bufferView === undefined ? undefined : this.#json.bufferViews?.[bufferView];
    const size = componentSizes.get(componentType);
    if (view === undefined || size === undefined || sparse !== undefined || (view.buffer ?? 0) !== 0) {
      throw meshError("a GLB file keeps its numbers in a way that is not read");
    }
    const stride = view.byteStride ?? size * width;
    const start = (view.byteOffset ?? 0) + byteOffset;
    const end = start + stride * (count - 1) + size * width;
    if (count === 0 || end > this.#binary.length) throw meshError("a GLB file has too few numbers");
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < width; k++)
        numbers.push(readComponent(this.#binary, start + i * stride + k * size, componentType));
    }
    return numbers;
  }

  #accessor(index: number | undefined, width: number): GltfAccessor {
    const accessor = index === undefined ? undefined : this.#json.accessors?.[index];
    if (accessor?.type !== (width === 3 ? "VEC3" : "SCALAR"))
      throw meshError("a GLB file has triangles without positions");
    return accessor;
  }
}

const componentSizes: ReadonlyMap<number, number> = new Map([
  [5121, 1],
  [5123, 2],
  [5125, 4],
  [5126, 4],
]);

function readComponent(bytes: Buffer, at: number, componentType: number): number {
  switch (componentType) {
    case 5121:
      return bytes.readUInt8(at);
    case 5123:
      return bytes.readUInt16LE(at);
    case 5125:
      return bytes.readUInt32LE(at);
    default:
      return bytes.readFloatLE(at);
  }
}

function trianglesOf(order: readonly number[], mode: number): readonly number[] {
  if (mode === modes.triangles) return order.slice(0, order.length - (order.length % 3));
  return order.slice(2).flatMap((corner, i) => {
    if (mode === modes.fan) return [order[0]!, order[i + 1]!, corner];
    return i % 2 === 0 ? [order[i]!, order[i + 1]!, corner] : [order[i + 1]!, order[i]!, corner];
  });
}

/** glTF writes matrices by columns. */
function nodeMatrix({ matrix, translation, rotation, scale }: GltfNode): Matrix4 {
  if (matrix !== undefined) return identity4.map((_, i) => matrix[4 * (i % 4) + Math.floor(i / 4)]!);
  const [tx = 0, ty = 0, tz = 0] = translation ?? [];
  const [x = 0, y = 0, z = 0, w = 1] = rotation ?? [];
  const [sx = 1, sy = 1, sz = 1] = scale ?? [];
  return [
    ...[sx * (1 - 2 * (y * y + z * z)), sy * 2 * (x * y - z * w), sz * 2 * (x * z + y * w), tx],
    ...[sx * 2 * (x * y + z * w), sy * (1 - 2 * (x * x + z * z)), sz * 2 * (y * z - x * w), ty],
    ...[sx * 2 * (x * z - y * w), sy * 2 * (y * z + x * w), sz * (1 - 2 * (x * x + y * y)), tz],
    ...[0, 0, 0, 1],
  ];
}
