import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { readMesh } from "../../src/robot/meshes/load-mesh.js";
import type { TriangleMesh } from "../../src/robot/meshes/triangle-mesh.js";
import { binaryStl, collada, cubeGltf, glb, makeGlb, obj, textStl } from "../robot/meshes/sample-meshes.js";
import { deep } from "../support/deep.js";
import {
  mutateBytes,
  mutateElements,
  mutateJson,
  mutateText,
  oddNumbers,
  oddValues,
  pick,
  repeatedly,
} from "../support/mutate.js";
import { Outcomes } from "./support/outcomes.js";

const snippets = [
  ...oddNumbers,
  "#g",
  "#n",
  "facet",
  "vertex",
  "f -1 -2 -3",
  "f 1/ 2/ 9e9",
  "v",
  "instance_node",
  "polygons",
];
const words = ["glTF", "JSON", "BIN\0", "solid", "vertex"].map((word) => Buffer.from(word));
/** A cube's numbers appear in a scene at most so often for each byte of the file. */
const mostNumbersPerByte = 100;

type Mutation = (random: Random) => Buffer;

function damaged(bytes: Buffer): Mutation {
  return (random) => repeatedly(1 + random.integer(4), bytes, (before) => mutateBytes(before, random, words));
}

function reworded(bytes: Buffer, change: (text: string, random: Random) => string): Mutation {
  const text = bytes.toString("latin1");
  return (random) =>
    Buffer.from(
      repeatedly(1 + random.integer(3), text, (before) => change(before, random)),
      "latin1",
    );
}

const wording = (text: string, random: Random) => mutateText(text, random, snippets);
const odd = [...oddValues, 4, 5, 6, 5121, 5126, "VEC3", "SCALAR", [0, 0], { POSITION: 1 }];
const redescribed: Mutation = (random) =>
  makeGlb(repeatedly(1 + random.integer(2), cubeGltf as unknown, (before) => mutateJson(before, random, odd)));

const kinds: readonly { readonly name: string; readonly file: string; readonly mutations: readonly Mutation[] }[] = [
  { name: "binary STL", file: "a.stl", mutations: [damaged(binaryStl)] },
  { name: "text STL", file: "a.stl", mutations: [damaged(textStl), reworded(textStl, wording)] },
  { name: "OBJ", file: "a.obj", mutations: [damaged(obj), reworded(obj, wording)] },
  {
    name: "COLLADA",
    file: "a.dae",
    mutations: [damaged(collada), reworded(collada, wording), reworded(collada, mutateElements)],
  },
  { name: "GLB", file: "a.glb", mutations: [damaged(glb), redescribed, redescribed] },
];

describe("mutated mesh files", () => {
  it.each(kinds)("$name: read or refused with a code", { timeout: 900_000 }, ({ name, file, mutations }) => {
    const random = new Random(`mesh-fuzz ${name}`);
    const outcomes = new Outcomes();
    const count = deep(500, 100_000);
    for (let i = 0; i < count; i++) {
      const bytes = pick(mutations, random)(random);
      outcomes.note(
        () => expectSound(readMesh(bytes, file), bytes.length),
        () => bytes.toString("base64"),
      );
    }
    expect(outcomes.of("ok")).toBeGreaterThan(count / 50);
    expect(outcomes.of("ok") + outcomes.of("FLY_MESH_INVALID")).toBe(count);
    expect(outcomes.of("FLY_MESH_INVALID")).toBeGreaterThan(count / 50);
  });
});

function expectSound({ positions, triangles }: TriangleMesh, fileLength: number): void {
  const count = positions.length / 3;
  expect(positions.every(Number.isFinite)).toBe(true);
  expect(triangles.every((vertex) => vertex < count)).toBe(true);
  expect(positions.length + triangles.length).toBeLessThanOrEqual(mostNumbersPerByte * fileLength);
}
