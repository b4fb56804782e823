import { createHash, timingSafeEqual } from "node:crypto";

/** The name or address in a `Host` header, without the port. */
export function nameOfHost(host: string): string {
  return host.replace(/:\d*$/, "");
}

/** Compares with one token, in a time that does not depend on where the two differ. */
export function tokenCheck(token: string): (candidate: string) => boolean {
  const expected = digest(token);
  return (candidate) => timingSafeEqual(digest(candidate), expected);
}

/** Of equal length whatever the token, as the comparison in constant time needs it. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The token in an `Authorization` header; null without one. */
export function bearerIn(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}
