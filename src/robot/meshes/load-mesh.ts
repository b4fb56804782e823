import { extname } from "node:path";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import type { RobotFiles } from "../files/robot-files.js";
import type { UrdfGeometry, UrdfVector } from "../urdf/urdf-document.js";
import { readCollada } from "./collada.js";
import { readGlb } from "./gltf.js";
import { readObj } from "./obj.js";
import { readStl } from "./stl.js";
import { meshError, type TriangleMesh } from "./triangle-mesh.js";

/** Largest mesh file that is opened [B]. */
const maxMeshBytes = 256 * 2 ** 20;

const readers: ReadonlyMap<string, (bytes: Buffer) => TriangleMesh> = new Map([
  [".stl", readStl],
  [".obj", readObj],
  [".dae", readCollada],
  [".glb", readGlb],
]);

/** The triangles of a mesh file, by the ending of its name; lengths as in the file. */
export function readMesh(bytes: Buffer, fileName: string): TriangleMesh {
  const ending = extname(fileName).toLowerCase();
  const reader = readers.get(ending);
  if (reader === undefined)
    throw meshError("a mesh is of a kind that is not read", [...readers.keys()].join(", "), ending);
  return reader(bytes);
}

export type UrdfMesh = Extract<UrdfGeometry, { type: "mesh" }>;

/** The meshes of one robot, each file read once. */
export class RobotMeshes {
  readonly #files: RobotFiles;
  readonly #meshes = new Map<string, TriangleMesh>();

  constructor(files: RobotFiles) {
    this.#files = files;
  }

  /** The mesh in metres, with the URDF's scale. */
  load({ filename, scale }: UrdfMesh): TriangleMesh {
    const path = this.#files.locate(filename);
    const mesh = getOrCreate(this.#meshes, path, () => this.#read(filename));
    return scaled(mesh, scale);
  }

  #read(filename: string): TriangleMesh {
    const { bytes } = this.#files.read(filename, maxMeshBytes);
    try {
      return readMesh(bytes, filename);
    } catch (cause) {
      if (!(cause instanceof FlycatcherError) || cause.details.path !== undefined) throw cause;
      const sentence = cause.message.split(":", 1)[0]!;
      throw new FlycatcherError(cause.code, sentence, { ...cause.details, path: filename.slice(0, 200) }, { cause });
    }
  }
}

function scaled({ positions, triangles }: TriangleMesh, scale: UrdfVector): TriangleMesh {
  if (scale.every((factor) => factor === 1)) return { positions, triangles };
  const isMirror = scale[0] * scale[1] * scale[2] < 0;
  return {
    positions: positions.map((value, i) => value * scale[i % 3]!),
    // A mirror turns the triangles inside out.
    triangles: isMirror ? triangles.map((_, i) => triangles[i - (i % 3) + (2 - (i % 3))]!) : triangles,
  };
}
