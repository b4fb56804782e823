/** Figures in sentences, in the units people use. */

export const seconds = (time: number): string => `${time.toFixed(3)} s`;
export const milliseconds = (time: number): string => `${(1000 * time).toFixed(0)} ms`;
export const metres = (length: number): string => `${length.toFixed(2)} m`;
export const centimetres = (length: number): string => `${(100 * length).toFixed(1)} cm`;
export const degrees = (angle: number): string => `${((180 * angle) / Math.PI).toFixed(1)}°`;
