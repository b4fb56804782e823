import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { convexHull } from "./convex-hull.js";
import { extremePoints, spreadDirections } from "./extreme-points.js";
import { type CutPlane, type Soup, splitSurface } from "./split-surface.js";

export interface DecomposeOptions {
  /** Most pieces. */
  readonly maxPieces: number;
  /** A cut must save this share of the hulls' volume. */
  readonly minimumGain: number;
  /** Called before each cut, which takes up to some tenths of a second. */
  readonly onCut?: () => void;
}

/** Directions for the volumes by which cuts are compared. */
const coarse = spreadDirections(120);

/** Where planes are tried, as shares of the extent along an axis; odd ones, which meet no corner of a drawing. */
const places = [0.15, 0.25, 0.35, 0.45, 0.5, 0.55, 0.65, 0.75, 0.85].map((share) => share + 1.37e-5);

/** Most triangles looked at in comparing cuts; the cut itself takes all. */
const sampleTriangles = 2000;

/** Pieces smaller than this are left whole [m³]. */
const smallVolume = 2e-6;

/** Cuts a surface into pieces whose convex hulls are together much smaller than the one hull, if there are such cuts. */
export function decompose(soup: Soup, options: DecomposeOptions): Soup[] {
  const pieces = [{ soup, volume: hullVolume(soup), isDone: false }];
  while (pieces.length < options.maxPieces) {
    const total = pieces.reduce((sum, { volume }) => sum + volume, 0);
    const piece = pieces
      .filter(({ isDone }) => !isDone)
      .reduce<(typeof pieces)[number] | undefined>(
        (largest, candidate) => (largest === undefined || candidate.volume > largest.volume ? candidate : largest),
        undefined,
      );
    if (piece === undefined) break;
    piece.isDone = true;
    options.onCut?.();
    const cut = piece.volume > smallVolume ? bestCut(piece.soup) : undefined;
    if (cut === undefined) continue;
    const { above, below } = splitSurface(piece.soup, cut);
    const halves = [above, below].map((half) => ({ soup: half, volume: hullVolume(half), isDone: false }));
    const saved = piece.volume - halves[0]!.volume - halves[1]!.volume;
    if (!(saved > options.minimumGain * total)) continue;
    pieces.splice(pieces.indexOf(piece), 1, ...halves);
  }
  return pieces.map((piece) => piece.soup);
}

function hullVolume(soup: Soup): number {
  return soup.length === 0 ? 0 : (convexHull(extremePoints(soup, coarse))?.volume ?? 0);
}

/** The plane, across an axis of the link or of the piece itself, that leaves the least volume of hulls. */
function bestCut(soup: Soup): CutPlane | undefined {
  const sample = sampled(soup);
  let best: { plane: CutPlane; volume: number } | undefined;
  for (const plane of planesOf(soup)) {
    const { above, below } = splitSurface(sample, plane);
    if (above.length === 0 || below.length === 0) continue;
    const volume = hullVolume(above) + hullVolume(below);
    if (best === undefined || volume < best.volume) best = { plane, volume };
  }
  return best?.plane;
}

function sampled(soup: Soup): Soup {
  const count = soup.length / 9;
  if (count <= sampleTriangles) return soup;
  const step = count / sampleTriangles;
  const sample = new Float64Array(9 * sampleTriangles);
  for (let i = 0; i < sampleTriangles; i++) {
    const at = 9 * Math.floor(i * step);
    sample.set(soup.subarray(at, at + 9), 9 * i);
  }
  return sample;
}

function planesOf(soup: Soup): CutPlane[] {
  const axes = [...principalAxes(soup), [1, 0, 0], [0, 1, 0], [0, 0, 1]] as CutPlane["normal"][];
  return axes.flatMap((normal) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < soup.length; i += 3) {
      const along = normal[0] * soup[i]! + normal[1] * soup[i + 1]! + normal[2] * soup[i + 2]!;
      low = Math.min(low, along);
      high = Math.max(high, along);
    }
    return places.map((share) => ({ normal, offset: low + share * (high - low) }));
  });
}

/** Axes of the vertices' scatter. */
function principalAxes(soup: Soup): CutPlane["normal"][] {
  const count = soup.length / 3;
  const mean = [0, 0, 0];
  for (let i = 0; i < soup.length; i++) mean[i % 3]! += soup[i]! / count;
  const scatter = Matrix.zeros(3, 3);
  for (let i = 0; i < soup.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        scatter.set(r, c, scatter.get(r, c) + (soup[i + r]! - mean[r]!) * (soup[i + c]! - mean[c]!));
      }
    }
  }
  const { eigenvectorMatrix } = new EigenvalueDecomposition(scatter, { assumeSymmetric: true });
  return [0, 1, 2].map((k) => eigenvectorMatrix.getColumn(k) as [number, number, number]);
}
