import type { UrdfInertial } from "../urdf/urdf-document.js";

/** A solid of density 1: its volume [m³], and mass, centre and inertia for that density. */
export interface SolidMoments {
  readonly volume: number;
  readonly centre: readonly [number, number, number];
  /** Inertia about the centre, for a density of 1 kg/m³ [kg·m²]. */
  readonly inertia: UrdfInertial["inertia"];
}

/**
 * Volume, centre and inertia of what a closed surface of nine numbers a triangle encloses: the sum over the tetrahedra
 * from the origin to each triangle (Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2005).
 * A surface that is inside out counts as if it were not. Null where it encloses nothing.
 */
export function solidMoments(surface: Float64Array): SolidMoments | null {
  let volume = 0;
  const first = [0, 0, 0];
  const second = new Float64Array(9);
  for (let t = 0; t < surface.length; t += 9) {
    const corner = (k: number) => surface.subarray(t + 3 * k, t + 3 * k + 3);
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const determinant =
      a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
      a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
      a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
    volume += determinant / 6;
    for (let i = 0; i < 3; i++) {
      const sum = a[i]! + b[i]! + c[i]!;
      first[i]! += (determinant * sum) / 24;
      for (let j = 0; j < 3; j++) {
        const products = a[i]! * a[j]! + b[i]! * b[j]! + c[i]! * c[j]!;
        second[3 * i + j]! += (determinant * (products + sum * (a[j]! + b[j]! + c[j]!))) / 120;
      }
    }
  }
  if (!(Math.abs(volume) > 1e-12)) return null;
  return momentsOf(volume, first, second);
}

/** Signs cancel for a surface that is inside out. */
function momentsOf(volume: number, first: readonly number[], second: Float64Array): SolidMoments {
  const sign = Math.sign(volume);
  const centre = first.map((value) => value / volume) as [number, number, number];
  const about = (i: number, j: number) => sign * (second[3 * i + j]! - volume * centre[i]! * centre[j]!);
  const [xx, yy, zz] = [about(0, 0), about(1, 1), about(2, 2)];
  const inertia = { ixx: yy + zz, ixy: -about(0, 1), ixz: -about(0, 2), iyy: xx + zz, iyz: -about(1, 2), izz: xx + yy };
  return { volume: Math.abs(volume), centre, inertia };
}
