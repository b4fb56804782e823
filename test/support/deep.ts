/** How many random cases to run: a seeded slice in `npm test`, the whole in `npm run test:deep`. */
export function deep(slice: number, whole: number): number {
  return process.env.FLYCATCHER_DEEP === "1" ? whole : slice;
}
