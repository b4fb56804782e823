import { parseXml, XmlDocumentType, XmlElement, XmlError } from "@rgrove/parse-xml";
import { radians } from "../../math/angle.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { checkDepth, identity4, type Matrix4, MeshBuilder, multiply4 } from "./mesh-builder.js";
import { meshError, type TriangleMesh } from "./triangle-mesh.js";

/**
 * Reads COLLADA (DAE): the triangles and polygons of the scene, placed by its nodes and scaled by the file's unit. The
 * up axis is passed over, as ROS does: URDF says how a mesh is turned.
 */
export function readCollada(bytes: Buffer): TriangleMesh {
  const reader = new ColladaReader(parseRoot(bytes.toString("utf8")));
  return reader.read();
}

function parseRoot(text: string): XmlElement {
  try {
    const document = parseXml(text, { preserveDocumentType: true });
    const isPlain = !document.children.some((node) => node instanceof XmlDocumentType);
    if (isPlain && document.root !== null) return document.root;
    throw meshError("a DAE file has a document type or no element");
  } catch (cause) {
    if (cause instanceof XmlError) throw meshError("a DAE file is not well-formed XML", "XML", cause.message);
    if (cause instanceof RangeError) throw meshError("a DAE file is nested too deeply");
    throw cause;
  }
}

/** The corners of some primitives: vertices of one list of positions, three for each triangle. */
interface Part {
  readonly positions: readonly number[];
  readonly triangles: readonly number[];
}

/** Most inputs of a primitive: position, normal, colours, textures. */
const maxInputs = 64;

class ColladaReader {
  readonly #root: XmlElement;
  readonly #byId = new Map<string, XmlElement>();
  readonly #parts = new Map<XmlElement, readonly Part[]>();
  readonly #builder = new MeshBuilder();
  /** The numbers of each source, and the elements of each mesh by their names: many primitives use the same. */
  readonly #numbers = new Map<XmlElement, readonly number[]>();
  readonly #named = new Map<XmlElement, ReadonlyMap<string, XmlElement>>();

  constructor(root: XmlElement) {
    this.#root = root;
    this.#index(root, 0);
  }

  read(): TriangleMesh {
    const scene = this.#scene();
    const scale = this.#unit();
    const place: Matrix4 = identity4.map((value, i) => (i < 12 ? scale * value : value));
    if (scene !== undefined) this.#addNodes(scene, place, 0);
    else for (const geometry of descendants(this.#root, "geometry")) this.#addGeometry(geometry, place, 0);
    return this.#builder.finish();
  }

  #index(element: XmlElement, depth: number): void {
    checkDepth(depth);
    const id = element.attributes.id;
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    for (const child of children(element)) this.#index(child, depth + 1);
  }

  /** Metres in a unit of the file. */
  #unit(): number {
    const written = child(child(this.#root, "asset"), "unit")?.attributes.meter;
    const unit = written === undefined ? 1 : Number(written);
    if (!(unit > 0 && unit < 1e6)) throw meshError("a DAE file has an impossible unit", "metres", written);
    return unit;
  }

  #scene(): XmlElement | undefined {
    const url = child(child(this.#root, "scene"), "instance_visual_scene")?.attributes.url;
    return this.#target(url) ?? descendants(this.#root, "visual_scene")[0];
  }

  #target(url: string | undefined): XmlElement | undefined {
    return url === undefined ? undefined : this.#byId.get(url.replace(/^#/, ""));
  }

  /** The element of that name in the same mesh: merged files use names more than once. */
  #near(mesh: XmlElement, url: string | undefined): XmlElement | undefined {
    const named = getOrCreate(this.#named, mesh, () => elementsById(mesh));
    return named.get(url?.replace(/^#/, "") ?? "") ?? this.#target(url);
  }

  #addNodes(parent: XmlElement, place: Matrix4, depth: number): void {
    checkDepth(depth);
    for (const element of children(parent)) {
      this.#builder.place(depth);
      if (element.name === "node") this.#addNodes(element, multiply4(place, nodeMatrix(element)), depth + 1);
      else if (element.name === "instance_node") this.#addInstance(element, place, depth);
      else if (element.name === "instance_geometry")
        this.#addGeometry(this.#target(element.attributes.url), place, depth);
      else if (element.name === "instance_controller") this.#addGeometry(this.#skinned(element), place, depth);
    }
  }

  #addInstance(element: XmlElement, place: Matrix4, depth: number): void {
    const node = this.#target(element.attributes.url);
    if (node !== undefined) this.#addNodes(node, multiply4(place, nodeMatrix(node)), depth + 1);
  }

  /** The surface a controller deforms, as it stands. */
  #skinned(instance: XmlElement): XmlElement | undefined {
    const controller = this.#target(instance.attributes.url);
    const skin = child(controller, "skin") ?? child(controller, "morph");
    return this.#target(skin?.attributes.source);
  }

  #addGeometry(geometry: XmlElement | undefined, place: Matrix4, depth: number): void {
    const mesh = child(geometry, "mesh");
    if (mesh === undefined) return;
    const parts = getOrCreate(this.#parts, mesh, () =>
      children(mesh).flatMap((element) => this.#primitives(element, mesh)),
    );
    for (const { positions, triangles } of parts) {
      this.#builder.place(depth);
      this.#builder.add(positions, triangles, place);
    }
  }

  #primitives(element: XmlElement, mesh: XmlElement): Part[] {
    if (!["triangles", "polylist", "polygons", "tristrips", "trifans"].includes(element.name)) return [];
    const inputs = children(element).filter(({ name }) => name === "input");
    const vertexInput = inputs.find(({ attributes }) => attributes.semantic === "VERTEX");
    if (vertexInput === undefined) return [];
    if (inputs.length > maxInputs) throw meshError("a DAE file has too many inputs", `at most ${maxInputs}`);
    const stride = 1 + Math.max(...inputs.map(({ attributes }) => Number(attributes.offset ?? 0)));
    const offset = Number(vertexInput.attributes.offset ?? 0);
    if (!(Number.isInteger(stride) && stride >= 1 && stride <= maxInputs && offset < stride)) {
      throw meshError("a DAE file has an impossible offset");
    }
    const lists = children(element)
      .filter(({ name }) => name === "p")
      .map((list) => numbersOf(list.text));
    const corners = lists.map((list) => list.filter((_, i) => i % stride === offset));
    return [{ positions: this.#positions(vertexInput, mesh), triangles: trianglesOf(element, corners) }];
  }

  #positions(vertexInput: XmlElement, mesh: XmlElement): readonly number[] {
    const vertices = this.#near(mesh, vertexInput.attributes.source);
    const input = children(vertices).find(
      ({ name, attributes }) => name === "input" && attributes.semantic === "POSITION",
    );
    const source = this.#near(mesh, input?.attributes.source);
    if (source === undefined) throw meshError("a DAE file has triangles without positions");
    return getOrCreate(this.#numbers, source, () => positionsOf(source));
  }
}

function positionsOf(source: XmlElement): readonly number[] {
  const numbers = child(source, "float_array");
  if (numbers === undefined) throw meshError("a DAE file has triangles without positions");
  const stride = Number(child(child(source, "technique_common"), "accessor")?.attributes.stride ?? 3);
  const values = numbersOf(numbers.text);
  if (stride === 3) return values;
  if (!(Number.isInteger(stride) && stride > 3 && stride <= 64)) throw meshError("a DAE file has an impossible stride");
  return values.filter((_, i) => i % stride < 3);
}

/** The first element of each name. */
function elementsById(parent: XmlElement): ReadonlyMap<string, XmlElement> {
  return new Map(
    children(parent)
      .filter(({ attributes }) => attributes.id !== undefined)
      .reverse()
      .map((element) => [element.attributes.id!, element]),
  );
}

/** The triangles of lists of corners, by the kind of primitive. */
function trianglesOf(element: XmlElement, lists: readonly number[][]): number[] {
  const counts = child(element, "vcount");
  switch (element.name) {
    case "triangles":
      return lists.flatMap((list) => list.slice(0, list.length - (list.length % 3)));
    case "polylist":
      return polygonsOf(lists[0] ?? [], counts === undefined ? [] : numbersOf(counts.text));
    case "tristrips":
      return lists.flatMap((list) =>
        list.slice(2).flatMap((c, i) => (i % 2 === 0 ? [list[i]!, list[i + 1]!, c] : [list[i + 1]!, list[i]!, c])),
      );
    default:
      return lists.flatMap(fan);
  }
}

function polygonsOf(corners: readonly number[], counts: readonly number[]): number[] {
  const triangles: number[] = [];
  let at = 0;
  for (const count of counts) {
    if (!(Number.isInteger(count) && count >= 0 && at + count <= corners.length)) {
      throw meshError("a DAE file has polygons without corners");
    }
    for (let k = 2; k < count; k++) triangles.push(corners[at]!, corners[at + k - 1]!, corners[at + k]!);
    at += count;
  }
  return triangles;
}

function fan(corners: readonly number[]): number[] {
  return corners.slice(2).flatMap((corner, i) => [corners[0]!, corners[i + 1]!, corner]);
}

/** The product of a node's transforms, in the order in which they stand. */
function nodeMatrix(node: XmlElement): Matrix4 {
  return children(node).reduce<Matrix4>((place, element) => {
    const matrix = transformOf(element);
    return matrix === undefined ? place : multiply4(place, matrix);
  }, identity4);
}

function transformOf(element: XmlElement): Matrix4 | undefined {
  if (!["matrix", "translate", "rotate", "scale"].includes(element.name)) return undefined;
  const numbers = numbersOf(element.text);
  const [x = 0, y = 0, z = 0, w = 0] = numbers;
  switch (element.name) {
    case "matrix":
      if (numbers.length !== 16) throw meshError("a matrix of a DAE file has not 16 numbers");
      return numbers;
    case "translate":
      return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1];
    case "scale":
      return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
    default:
      return rotation(x, y, z, radians(w));
  }
}

function rotation(ax: number, ay: number, az: number, angle: number): Matrix4 {
  const length = Math.hypot(ax, ay, az) || 1;
  const [x, y, z] = [ax / length, ay / length, az / length];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const v = 1 - c;
  return [
    ...[v * x * x + c, v * x * y - s * z, v * x * z + s * y, 0],
    ...[v * x * y + s * z, v * y * y + c, v * y * z - s * x, 0],
    ...[v * x * z - s * y, v * y * z + s * x, v * z * z + c, 0],
    ...[0, 0, 0, 1],
  ];
}

function children(element: XmlElement | undefined): XmlElement[] {
  return element?.children.filter((node): node is XmlElement => node instanceof XmlElement) ?? [];
}

function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return children(element).find((candidate) => candidate.name === name);
}

function descendants(element: XmlElement, name: string): XmlElement[] {
  return children(element).flatMap((inner) => (inner.name === name ? [inner] : descendants(inner, name)));
}

function numbersOf(text: string): number[] {
  return text.trim() === "" ? [] : text.trim().split(/\s+/).map(Number);
}
