/** Standard deviations of chi-square from which on a flight is not as modelled. */
const MISFIT = 4;
/** And chi-square per degree of freedom: a false circle or two near the flight make twice as much. */
const LEAST_RATIO = 3;

/** How well a smoothed flight fits: squared residuals by their sigmas, and how many of them are free. */
interface FlightFitness {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
}

/** A sentence about a ball whose flight is not as modelled; null if it is, or if its flight is not known. */
export function misfitSentence(ball: string, flight: FlightFitness | null): string | null {
  if (flight === null) return null;
  const { chiSquare, degreesOfFreedom } = flight;
  const isUnlikely = chiSquare > degreesOfFreedom + MISFIT * Math.sqrt(2 * degreesOfFreedom);
  if (!(isUnlikely && chiSquare > LEAST_RATIO * degreesOfFreedom)) return null;
  const ratio = (chiSquare / degreesOfFreedom).toFixed(1);
  return `${ball} does not fly as modelled, chi-square is ${ratio} per degree of freedom: drag, gravity, size, sigma or time stamps?`;
}
