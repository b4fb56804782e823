import { workerInput } from "../transport/workers/worker-context.js";
import { answerByReading } from "./reading-thread.js";
import { type IntakeOrder, takeIn } from "./robot-intake.js";

/** Takes an uploaded robot in, in a thread of its own: URDF, sidecar and meshes may be made to take long. */
void answerByReading(() => takeIn(workerInput<IntakeOrder>()));
