import { readToken } from "./access-token.js";

/** The service refused, or could not be reached: `code` as in docs/errors.md, or "" where it gave none. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(message: string, status: number, code: string) {
    super(message);
    this.name = "ServiceError";
    this.status = status;
    this.code = code;
  }

  /** Whether a token, or another one, would help. */
  get needsToken(): boolean {
    return this.status === 401;
  }
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
}

/** A request to the service this page came from. Anything but success is thrown as a `ServiceError`. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", json, bytes, signal } = options;
  const headers = new Headers();
  const token = readToken();
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  if (json !== undefined) headers.set("content-type", "application/json");
  else if (bytes !== undefined) headers.set("content-type", "application/octet-stream");
  const body = json !== undefined ? JSON.stringify(json) : (bytes ?? null);
  const response = await reach(path, { method, headers, body, ...(signal !== undefined && { signal }) });
  if (!response.ok) throw await problemOf(response);
  return response;
}

export async function sendForJson<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  return (await (await send(path, options)).json()) as Answer;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ServiceError("The service cannot be reached", 0, "");
  }
}

/** A problem document (RFC 9457), as the service writes them. */
interface Problem {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
}

async function problemOf(response: Response): Promise<ServiceError> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  const words = problem.detail ?? problem.title ?? response.statusText;
  return new ServiceError(words === "" ? `Status ${response.status}` : words, response.status, problem.code ?? "");
}
