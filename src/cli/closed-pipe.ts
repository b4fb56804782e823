import { ExitCode } from "./cli-command.js";

/**
 * Ends the process quietly when the reader of its output has gone, as in `flycatcher replay | head`. A command that waits for an
 * interruption, because a robot moves, is interrupted: the robot comes to rest first.
 */
export function endWithClosedPipe(): void {
  let isClosing = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    if (isClosing) return;
    isClosing = true;
    process.exitCode = ExitCode.pipeClosed;
    if (!process.emit("SIGINT", "SIGINT")) process.exit();
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
}
