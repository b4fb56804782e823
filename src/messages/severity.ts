/** How much something matters that a person can follow. */
export const Severity = { debug: 0, info: 1, warning: 2, error: 3 } as const;
export type Severity = (typeof Severity)[keyof typeof Severity];
