/** The page on a prepared run, to look at while it is worked on: `node dist/test/web/support/serve.js [robot] [port]`. */
import { SessionServer } from "./session-server.js";

const [robot = "agile-justin", port = "8099"] = process.argv.slice(2);
const { address } = await SessionServer.start({ robot, port: Number(port) });
process.stdout.write(`${address}\n`);
