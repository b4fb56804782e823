/** The service's token: asked of the person, kept as long as the browser's tab lives, sent in a header only. */
const key = "flycatcher.token";

export function readToken(): string | null {
  return sessionStorage.getItem(key);
}

export function keepToken(token: string): void {
  if (token === "") sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, token);
}
