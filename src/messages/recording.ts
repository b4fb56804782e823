import { f64, u32 } from "../transport/channels/field.js";
import { group, type MessageOf, meaning, message, records, several } from "../transport/message.js";
import { jointNumbers } from "./fields.js";
import { maxJoints, name } from "./parts.js";

/** Messages that exist in recordings alone: readings and joints put together, and what was lost. */

/** Readings that one batch holds at most. */
export const MAX_READINGS = 1024;

const column = several(MAX_READINGS);
const jointColumns = several(MAX_READINGS * maxJoints);
const vectorColumns = several(MAX_READINGS * 3);
const time = meaning(column, "when each was taken [s]");
const arrivalNs = meaning(column, "tick at which each was known [ns]");

export const Readings = message(
  "Readings",
  2,
  "What encoders and IMU measured since the last such message, in columns. Within a tick all joints come before the IMU.",
  {
    joints: meaning(
      group({
        time,
        arrivalNs,
        q: meaning(
          jointColumns,
          "positions of the joints `readings.q` of the header, reading after reading [rad or m]",
        ),
        qd: meaning(jointColumns, "velocities of the joints `readings.qd`"),
        commanded: meaning(jointColumns, "commanded positions of the joints `readings.commanded` [rad or m]"),
      }),
      "of the encoders",
    ),
    imu: meaning(
      group({
        time,
        arrivalNs,
        angularVelocity: meaning(vectorColumns, "in the sensor's frame, sample after sample [rad/s]"),
        specificForce: meaning(vectorColumns, "the same [m/s²]"),
      }),
      "of the inertial sensor in the head",
    ),
  },
);
export type Readings = MessageOf<typeof Readings>;

export const JointRecord = message("JointRecord", 2, "The joints after a control tick, in model order.", {
  q: meaning(jointNumbers, "measured positions [rad or m]"),
  qd: meaning(jointNumbers, "measured velocities"),
  commandedQ: meaning(jointNumbers, "positions commanded for the tick [rad or m]"),
  commandedQd: meaning(jointNumbers, "velocities commanded for the tick"),
});
export type JointRecord = MessageOf<typeof JointRecord>;

const drop = {
  topic: name,
  messages: meaning(u32, "how many were lost"),
  bytes: meaning(f64, "how many bytes they had"),
};

export const Drops = message("Drops", 2, "What was not recorded because the disk could not keep up.", {
  drops: records(drop, 64),
});
export type Drops = MessageOf<typeof Drops>;
