import { basename, dirname, join } from "node:path";
import { parseXml, XmlElement, XmlError } from "@rgrove/parse-xml";
import type { RobotFiles } from "../../robot/files/robot-files.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** Largest file of a model, and of all together [B]. */
const maxFileBytes = 128 * 2 ** 20;
const maxTotalBytes = 512 * 2 ** 20;

/** Most files of one model. */
const maxFiles = 2000;

/** An MJCF file as text, with the files it names, by the names under which MuJoCo looks for them. */
export interface MjcfSources {
  readonly text: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Reads an MJCF file and all that it names: includes are put in place, meshes and height fields are read from the model's
 * own folder. Textures are left out, since only shapes matter.
 */
export function readMjcfSources(file: string, files: RobotFiles): MjcfSources {
  return new SourceReader(files).read(file);
}

class SourceReader {
  readonly #files: RobotFiles;
  readonly #found = new Map<string, Buffer>();
  #bytes = 0;

  constructor(files: RobotFiles) {
    this.#files = files;
  }

  read(file: string): MjcfSources {
    const root = this.#document(file, 0);
    const folder = dirname(this.#files.locate(file));
    const compilers = elements(root, "compiler");
    const folderOf = (...names: string[]) =>
      compilers.flatMap(({ attributes }) => names.flatMap((name) => attributes.get(name) ?? [])).at(-1) ?? "";
    const meshFolder = folderOf("assetdir", "meshdir");
    for (const element of [...elements(root, "mesh"), ...elements(root, "hfield"), ...elements(root, "skin")]) {
      const reference = element.attributes.get("file");
      if (reference === undefined) continue;
      const name = `${this.#found.size}-${basename(reference)}`;
      this.#found.set(name, this.#bytesOf(join(meshFolder, reference), folder));
      if (!element.attributes.has("name")) element.attributes.set("name", basename(reference).replace(/\.[^.]*$/, ""));
      element.attributes.set("file", name);
    }
    for (const { attributes } of compilers)
      for (const name of ["meshdir", "assetdir", "texturedir"]) attributes.delete(name);
    return { text: format(withoutTextures(root)), files: this.#found };
  }

  #document(reference: string, depth: number, from?: string): Node {
    if (depth > 20) throw invalid("includes are nested too deeply", reference);
    const path = this.#files.locate(reference, from);
    const root = toNode(parse(this.#bytesOf(reference, from).toString("utf8"), reference), 0);
    return this.#included(root, dirname(path), depth);
  }

  #included(node: Node, folder: string, depth: number): Node {
    const children = node.children.flatMap((child) => {
      if (child.name !== "include") return [this.#included(child, folder, depth)];
      return this.#document(child.attributes.get("file") ?? "", depth + 1, folder).children;
    });
    return { ...node, children };
  }

  #bytesOf(reference: string, from?: string): Buffer {
    const { bytes } = this.#files.read(reference, maxFileBytes, from);
    this.#bytes += bytes.length;
    if (this.#bytes > maxTotalBytes || this.#found.size > maxFiles)
      throw invalid("the model has too many files", reference);
    return bytes;
  }
}

interface Node {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: readonly Node[];
}

function parse(text: string, path: string): XmlElement {
  try {
    const { root } = parseXml(text);
    if (root?.name === "mujoco" || root?.name === "mujocoinclude") return root;
    throw invalid(`expected <mujoco> as the outermost element, found <${root?.name ?? ""}>`, path);
  } catch (cause) {
    if (cause instanceof XmlError) throw invalid(`not well-formed: ${cause.message.split("\n", 1)[0]}`, path);
    if (cause instanceof RangeError) throw invalid("nested too deeply", path);
    throw cause;
  }
}

function toNode(xml: XmlElement, depth: number): Node {
  if (depth > 200) throw invalid("elements are nested too deeply", xml.name);
  return {
    name: xml.name,
    attributes: new Map(Object.entries(xml.attributes)),
    children: xml.children.flatMap((child) => (child instanceof XmlElement ? [toNode(child, depth + 1)] : [])),
  };
}

function elements(node: Node, name: string): Node[] {
  const below = node.children.flatMap((child) => elements(child, name));
  return node.name === name ? [node, ...below] : below;
}

/** Without textures and what only refers to them: they are not drawn from here. */
function withoutTextures(node: Node): Node {
  const isMaterial = node.name === "material";
  const children = node.children.filter(({ name }) => name !== "texture" && !(isMaterial && name === "layer"));
  if (isMaterial) node.attributes.delete("texture");
  return { ...node, children: children.map(withoutTextures) };
}

function format({ name, attributes, children }: Node): string {
  const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
  return `<${name}${written}>${children.map(format).join("")}</${name}>`;
}

function invalid(message: string, path: string): FlycatcherError {
  return new FlycatcherError("FLY_MJCF_INVALID", message, { path: path.slice(0, 200) });
}
