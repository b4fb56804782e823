/** Which camera of the stereo pair. */
export const Camera = { left: 0, right: 1 } as const;
export type Camera = (typeof Camera)[keyof typeof Camera];
