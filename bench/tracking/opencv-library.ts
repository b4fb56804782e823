import { createRequire } from "node:module";

/** What we use of OpenCV's matrices: memory outside the JavaScript heap, to be deleted. */
export interface OpenCvMat {
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint8Array;
  readonly data32F: Float32Array;
  roi(rectangle: object): OpenCvMat;
  delete(): void;
}

/** What we use of opencv-wasm 4.3.0, whose own types say `any` of it. */
export interface OpenCv {
  readonly CV_8UC1: number;
  readonly HOUGH_GRADIENT: number;
  readonly HOUGH_GRADIENT_ALT: number;
  readonly Mat: new (rows?: number, columns?: number, type?: number) => OpenCvMat;
  readonly Rect: new (x: number, y: number, width: number, height: number) => object;
  readonly Size: new (width: number, height: number) => object;
  GaussianBlur(source: OpenCvMat, target: OpenCvMat, size: object, sigmaX: number): void;
  HoughCircles(
    image: OpenCvMat,
    circles: OpenCvMat,
    method: number,
    inverseResolution: number,
    leastDistance: number,
    cannyThreshold: number,
    votes: number,
    minRadius: number,
    maxRadius: number,
  ): void;
}

const events = ["uncaughtException", "unhandledRejection"] as const;

let library: { readonly cv: OpenCv } | null = null;

/**
 * Loads OpenCV on first use (0.3 s, 130 MB of memory), and takes its process-wide exception listeners off again. It comes
 * in a box because it has a method `then` and would be waited for in vain if it were handed to `await`.
 */
export function loadOpenCv(): { readonly cv: OpenCv } {
  if (library !== null) return library;
  const before = events.map((event) => process.rawListeners(event));
  const { cv } = createRequire(import.meta.url)("opencv-wasm") as { cv: OpenCv };
  for (const [k, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[k]!.includes(listener)) process.off(event as "uncaughtException", listener as () => void);
    }
  }
  library = { cv };
  return library;
}
