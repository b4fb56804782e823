/** A point of a curve of recall over false circles. */
export interface CurvePoint {
  readonly falsePerImage: number;
  readonly recall: number;
}

/** A circle with its score, and whether it is a labelled ball's. */
export interface ScoredCircle {
  readonly score: number;
  readonly isBall: boolean;
}

/** Recall over false circles per image as the least score falls, best first. */
export function curveOf(circles: readonly ScoredCircle[], balls: number, images: number): CurvePoint[] {
  const ordered = [...circles].sort((a, b) => b.score - a.score);
  const points: CurvePoint[] = [{ falsePerImage: 0, recall: 0 }];
  let found = 0;
  let wrong = 0;
  for (const [n, { score, isBall }] of ordered.entries()) {
    if (isBall) found++;
    else wrong++;
    // Circles of the same score come together.
    if (ordered[n + 1]?.score === score) continue;
    points.push({ falsePerImage: wrong / images, recall: found / balls });
  }
  return points;
}

/** The point of the highest recall among those with at most so many false circles; of equals the one with the fewest. */
export function pointAt(points: readonly CurvePoint[], mostFalse: number): CurvePoint {
  const nothing: CurvePoint = { falsePerImage: 0, recall: 0 };
  return points.reduce((best, point) => {
    if (!(point.falsePerImage <= mostFalse)) return best;
    const isBetter = point.recall > best.recall;
    return isBetter || (point.recall === best.recall && point.falsePerImage < best.falsePerImage) ? point : best;
  }, nothing);
}
