/**
 * Follows a ball through measured points, as motion capture gives them, and predicts where it will pass a plane.
 *
 * Run:    node dist/examples/02-track-points.js
 * Prints: what the tracker reports, the estimated velocity, and where and when the ball passes, with standard deviations.
 */
import { BallForecast, BallTracker, createSurfaceCrossing, PlaneSurface, PointSet, vec3, worldFrame } from "flycatcher";

const sigma = 0.003;
const frames = 10;

/** Where the ball is at a time, with a few millimetres of error and one false point now and then. */
function measure(t: number, points: PointSet): void {
  const error = (k: number) => sigma * Math.sin(1e4 * t + k);
  points.position.set([4 - 6 * t + error(0), 0.2 + error(1), 1.5 + 2.5 * t - 4.905 * t * t + error(2)]);
  points.position.set([1 + Math.sin(50 * t), -1, 2], 3);
  points.count = Math.round(25 * t) % 3 === 0 ? 2 : 1;
  const variance = sigma ** 2;
  for (let k = 0; k < points.count; k++) {
    points.covariance.set([variance, 0, 0, 0, variance, 0, 0, 0, variance], 9 * k);
  }
}

const tracker = new BallTracker({}, (event) => console.log(event.text));
const points = new PointSet();
for (let frame = 0; frame < frames; frame++) {
  const time = frame / 25;
  measure(time, points);
  tracker.process({ kind: "points", time, points });
}

const ball = tracker.tracks.slice(0, tracker.trackCount).find(({ confirmed }) => confirmed);
if (ball === undefined) throw new Error("the throw was not recognised");
const velocity = Array.from(ball.belief.mean.subarray(3, 6), (v) => v.toFixed(2));
console.log(`After ${frames} frames the ball flies at ${velocity.join(", ")} m/s.`);

// Where it passes the plane x = 0.5 m, and how surely.
const forecast = new BallForecast(tracker.settings);
forecast.reset(ball.belief, ball.belief.time + 1);
const crossing = createSurfaceCrossing();
const plane = new PlaneSurface(vec3.create(1, 0, 0), 0.5);
if (!forecast.cross(plane, worldFrame, forecast.begin, forecast.end, crossing)) throw new Error("it passes no plane");
const [, y, z] = crossing.position;
const spread = 1e3 * Math.sqrt(Math.max(crossing.covariance[4], crossing.covariance[8]));
console.log(`It passes x = 0.5 m at ${crossing.time.toFixed(3)} s, y = ${y.toFixed(2)} m, z = ${z.toFixed(2)} m.`);
console.log(`Standard deviations: ${(1e3 * crossing.timeSigma).toFixed(1)} ms and ${spread.toFixed(0)} mm.`);
