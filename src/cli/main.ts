#!/usr/bin/env node
import { endWithClosedPipe } from "./closed-pipe.js";
import { runCli } from "./program.js";

endWithClosedPipe();
process.exitCode = await runCli(process.argv);
