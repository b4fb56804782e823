import { FlycatcherError } from "../runtime/errors.js";
import { ExitCode } from "./cli-command.js";

/** A full disk, for example. */
function describe({ message }: Error): string {
  const { code, remedy } = new FlycatcherError("FLY_OUTPUT_UNWRITABLE", "");
  return `${code}: The output cannot be written: ${message}\n${remedy}`;
}

/**
 * Ends the process quietly when the reader of its output has gone, as in `flycatcher replay | head`. A command that waits for an
 * interruption, because a robot moves, is interrupted: the robot comes to rest first.
 */
export function endWithClosedPipe(): void {
  let isClosing = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (isClosing) return;
    isClosing = true;
    process.exitCode = error.code === "EPIPE" ? ExitCode.pipeClosed : ExitCode.failed;
    if (error.code !== "EPIPE") process.stderr.write(`${describe(error)}\n`);
    if (!process.emit("SIGINT", "SIGINT")) process.exit();
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
}
