import type { ArmPosture } from "../measurements/arm-geometry.js";
import type { Side } from "../measurements/marker-model.js";
import type { CalibrationRig } from "../parameters/calibration-rig.js";
import { BandLimit, decimate } from "../signal/band-limit.js";
import { cachedTaps, JointPath } from "../signal/joint-path.js";
import { fitRaster, type TimeRaster } from "../signal/time-raster.js";
import {
  type CalibrationRecording,
  checkRecording,
  type HoldRecording,
  invalid,
  missing,
  type SampleStream,
} from "./calibration-recording.js";

/** Markers seen while one arm stood. */
interface PreparedMarkers {
  readonly count: number;
  /** `Side` of each. */
  readonly side: Uint8Array;
  /** Stamp of the image, jitter removed [s]. */
  readonly stamp: Float64Array;
  /** u, v of each [px]. */
  readonly pixels: Float64Array;
}

/** IMU readings, band-limited and decimated: their white noise is independent from one to the next. */
interface PreparedImu {
  readonly count: number;
  /** Jitter removed [s]. */
  readonly stamp: Float64Array;
  /** Six of each: angular velocity, specific force. */
  readonly values: Float64Array;
}

export interface PreparedHold {
  /** Index of the rig's arms. */
  readonly arm: number;
  readonly posture: ArmPosture;
  readonly neck: JointPath;
  readonly markers: PreparedMarkers;
  readonly imu: PreparedImu;
}

/** A recording made ready for the fit. */
export interface PreparedRecording {
  readonly posture: Float64Array;
  readonly holds: readonly PreparedHold[];
  /** Rate of the prepared IMU samples [Hz]. */
  readonly imuRate: number;
  /** Of left camera, right camera, IMU. */
  readonly rasters: { readonly cameras: readonly [TimeRaster, TimeRaster]; readonly imu: TimeRaster };
  /** Raw IMU samples that went in. */
  readonly rawImuCount: number;
}

/** The prepared IMU samples' rate is the largest divisor of the IMU's own up to this [Hz]: the thesis' 5 Hz band. */
const TARGET_RATE = 10;
/** Delays may turn out to differ from the ones assumed by this much [s]: so far inside the joints' path data must lie. */
const DELAY_MARGIN = 0.06;
/** So many lost samples in a row are filled in by a straight line. */
const MAX_GAP = 8;
/** Fewer images or samples than this in a whole recording are no data. */
const MIN_IMAGES = 50;
const MIN_IMU = 1000;

/** Checks, removes jitter from the stamps, band-limits joints and IMU alike, and decimates. */
export function prepareRecording(recording: CalibrationRecording, rig: CalibrationRig): PreparedRecording {
  checkRecording(recording, rig);
  const { holds, posture } = recording;
  requireData(recording, rig);
  const joints = rasterOf(holds.map((hold) => hold.joints));
  const imu = rasterOf(holds.map((hold) => hold.imu));
  const camera = (side: 0 | 1) => rasterOf(holds.map((hold) => hold.markers[side]));
  const cameras = [camera(0), camera(1)] as const;
  const stride = Math.ceil(1 / imu.period / TARGET_RATE - 1e-3);
  const filter = new BandLimit(Number((1 / imu.period / stride).toPrecision(6)));
  return {
    posture,
    holds: holds.map((hold) => prepareHold(hold, rig, { joints, imu, cameras, filter, stride })),
    imuRate: filter.outputRate,
    rasters: { cameras, imu },
    rawImuCount: holds.reduce((sum, hold) => sum + hold.imu.sequence.length, 0),
  };
}

function requireData({ holds }: CalibrationRecording, rig: CalibrationRig): void {
  for (const side of [0, 1] as const) {
    const seen = holds.reduce((sum, { markers }) => sum + markers[side].values.filter(Number.isFinite).length / 2, 0);
    if (seen < MIN_IMAGES) {
      throw missing(`markers/${rig.cameras[side].name}`, `at least ${MIN_IMAGES} images of a marker`, String(seen));
    }
  }
  const samples = holds.reduce((sum, { imu }) => sum + imu.sequence.length, 0);
  if (samples < MIN_IMU) throw missing("imu", `at least ${MIN_IMU} samples`, String(samples));
}

function rasterOf(streams: readonly SampleStream[]): TimeRaster {
  return fitRaster(joined(streams.map(({ sequence }) => sequence)), joined(streams.map(({ stamps }) => stamps)));
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

interface Rasters {
  readonly joints: TimeRaster;
  readonly imu: TimeRaster;
  readonly cameras: readonly [TimeRaster, TimeRaster];
  readonly filter: BandLimit;
  readonly stride: number;
}

function prepareHold(hold: HoldRecording, rig: CalibrationRig, rasters: Rasters): PreparedHold {
  const arm = rig.arms.findIndex(({ group }) => group.name === hold.arm);
  const neckCount = rig.neck.dofs.length;
  const armCount = rig.arms[arm]!.group.dofs.length;
  const { columns, first } = evenColumns(hold.joints, neckCount, "joints");
  const neck = new JointPath(
    {
      start: rasters.joints.start + first * rasters.joints.period - rig.robot.encoders.latency,
      period: rasters.joints.period,
      positions: columns,
    },
    rasters.filter,
  );
  return {
    arm,
    posture: {
      positions: columnMeans(hold.joints, neckCount, armCount),
      torques: columnMeans(hold.joints, neckCount + armCount, armCount),
    },
    neck,
    markers: prepareMarkers(hold, rig, rasters, neck),
    imu: prepareImu(hold.imu, rig, rasters, neck),
  };
}

/** The first columns of a stream on its even raster, lost samples filled in; and the number of the first sample. */
function evenColumns(
  { sequence, values, width }: SampleStream,
  count: number,
  path: string,
): { columns: Float64Array[]; first: number } {
  if (sequence.length < 2) throw missing(path, "at least two samples in every hold", String(sequence.length));
  const first = sequence[0]!;
  const length = sequence.at(-1)! - first + 1;
  const columns = Array.from({ length: count }, () => new Float64Array(length));
  for (let i = 0; i < sequence.length; i++) {
    const at = sequence[i]! - first;
    const from = i === 0 ? at : sequence[i - 1]! - first;
    if (at - from > MAX_GAP + 1)
      throw invalid(path, `no more than ${MAX_GAP} samples lost in a row`, `${at - from - 1}`);
    for (let c = 0; c < count; c++) {
      const value = values[i * width + c]!;
      const before = i === 0 ? value : values[(i - 1) * width + c]!;
      for (let k = from + 1; k < at; k++) columns[c]![k] = before + ((value - before) * (k - from)) / (at - from);
      columns[c]![at] = value;
    }
  }
  return { columns, first };
}

function columnMeans({ values, width, sequence }: SampleStream, first: number, count: number): Float64Array {
  const means = new Float64Array(count);
  for (let i = 0; i < sequence.length; i++) {
    for (let c = 0; c < count; c++) means[c] = means[c]! + values[i * width + first + c]! / sequence.length;
  }
  return means;
}

function prepareMarkers(hold: HoldRecording, rig: CalibrationRig, rasters: Rasters, neck: JointPath): PreparedMarkers {
  const found = ([0, 1] as const).flatMap((side) => {
    const { sequence, values } = hold.markers[side];
    const { start, period } = rasters.cameras[side];
    const { latency } = rig.cameras[side];
    return [...sequence].flatMap((number, i) => {
      const stamp = start + period * number;
      const [u, v] = [values[2 * i]!, values[2 * i + 1]!];
      return Number.isFinite(u) && liesInside(neck, stamp - latency) ? [{ side, stamp, u, v }] : [];
    });
  });
  return markersOf(found);
}

/** Markers, each as a camera saw it. */
export function markersOf(
  seen: readonly { readonly side: Side; readonly stamp: number; readonly u: number; readonly v: number }[],
): PreparedMarkers {
  return {
    count: seen.length,
    side: Uint8Array.from(seen, ({ side }) => side),
    stamp: Float64Array.from(seen, ({ stamp }) => stamp),
    pixels: Float64Array.from(seen.flatMap(({ u, v }) => [u, v])),
  };
}

function liesInside(neck: JointPath, time: number): boolean {
  return neck.nodeCount > 1 && neck.covers(time - DELAY_MARGIN) && neck.covers(time + DELAY_MARGIN);
}

function prepareImu(stream: SampleStream, rig: CalibrationRig, rasters: Rasters, neck: JointPath): PreparedImu {
  const { columns, first } = evenColumns(stream, 6, "imu");
  const { reach, value } = cachedTaps(rasters.filter, 1 / rasters.imu.period);
  const { start, period } = rasters.imu;
  const timeOf = (i: number) => start + (first + reach + i * rasters.stride) * period;
  const fits = Math.max(0, Math.floor((columns[0]!.length - 1 - 2 * reach) / rasters.stride) + 1);
  const kept = Array.from({ length: fits }, (_, i) => i).filter((i) => liesInside(neck, timeOf(i) - rig.imu.latency));
  const values = new Float64Array(6 * kept.length);
  const line = new Float64Array(fits);
  for (const [c, column] of columns.entries()) {
    decimate(column, value, reach, rasters.stride, line);
    for (const [k, i] of kept.entries()) values[6 * k + c] = line[i]!;
  }
  return { count: kept.length, stamp: Float64Array.from(kept, timeOf), values };
}
