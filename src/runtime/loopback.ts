import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether only this machine can reach an address. Any name but `localhost` may lead elsewhere. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  if (family === 0) return bare.toLowerCase() === "localhost";
  return loopback.check(bare, family === 4 ? "ipv4" : "ipv6");
}
