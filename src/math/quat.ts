/** Unit quaternions, order (x, y, z, w). `out` is trailing and may be an input. */
export type Quat = Float64Array & { readonly length: 4; 0: number; 1: number; 2: number; 3: number };
