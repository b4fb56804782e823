/** Directions spread evenly over the sphere: a spiral with the golden angle. */
export function spreadDirections(count: number): Float64Array {
  const directions = new Float64Array(3 * count);
  const turn = Math.PI * (3 - Math.sqrt(5));
  for (let i = 0; i < count; i++) {
    const z = 1 - (2 * i + 1) / count;
    const radius = Math.sqrt(1 - z * z);
    directions[3 * i] = radius * Math.cos(turn * i);
    directions[3 * i + 1] = radius * Math.sin(turn * i);
    directions[3 * i + 2] = z;
  }
  return directions;
}

/** The points that are farthest in one of the directions: nearly the corners of the convex hull. */
export function extremePoints(points: Float64Array, directions: Float64Array): Float64Array {
  const chosen = new Set<number>();
  for (let d = 0; d < directions.length; d += 3) {
    const [x, y, z] = [directions[d]!, directions[d + 1]!, directions[d + 2]!];
    let [best, most] = [0, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < points.length; i += 3) {
      const along = x * points[i]! + y * points[i + 1]! + z * points[i + 2]!;
      if (along > most) [best, most] = [i, along];
    }
    chosen.add(best);
  }
  return Float64Array.from([...chosen].flatMap((i) => [points[i]!, points[i + 1]!, points[i + 2]!]));
}
