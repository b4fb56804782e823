import type { Problem } from "./schemas.js";

/** How a client finds its service, and what all its requests carry. */
export interface ClientOptions {
  /** Address of the service; default: `http://localhost:8080`. */
  readonly address?: string | URL;
  /** The service's token, where it has one. */
  readonly token?: string;
  /** Another implementation of `fetch`; default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Options of one request. */
export interface CallOptions {
  /** Ends the request. The service then stops to work on it. */
  readonly signal?: AbortSignal;
}

/** One of the events that the service sends (`text/event-stream`). */
export interface ServiceEvent<T> {
  readonly event: string;
  readonly data: T;
}

/** Where a WebSocket is opened: `new WebSocket(url, protocols)`. */
export interface StreamAddress {
  readonly url: string;
  readonly protocols: readonly string[];
}

/** The service refused a request, or failed; `problem` says why, with the code of docs/errors.md. */
export class ServiceProblem extends Error {
  override readonly name = "ServiceProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }

  /** HTTP status. */
  get status(): number {
    return this.problem.status;
  }
}

/** A request as the generated methods make it. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly bytes?: Uint8Array;
  readonly options: CallOptions | undefined;
}

/** Sends requests and reads the answers; the methods of `FlycatcherClient` are calls of these. */
export class HttpClient {
  readonly #address: URL;
  readonly #token: string | undefined;
  readonly #fetch: typeof globalThis.fetch;

  constructor({ address = "http://localhost:8080", token, fetch = globalThis.fetch }: ClientOptions = {}) {
    this.#address = new URL(address);
    this.#token = token;
    this.#fetch = fetch;
  }

  /** An answer in JSON. */
  protected async json<T>(call: Call): Promise<T> {
    return (await this.#send(call)).json() as Promise<T>;
  }

  /** An answer without content. */
  protected async nothing(call: Call): Promise<void> {
    await (await this.#send(call)).arrayBuffer();
  }

  protected async text(call: Call): Promise<string> {
    return (await this.#send(call)).text();
  }

  protected async bytes(call: Call): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#send(call)).arrayBuffer());
  }

  /** One JSON value per line, each as it comes. */
  protected async *lines<T>(call: Call): AsyncGenerator<T, void, undefined> {
    for await (const line of textLines(await this.#send(call))) if (line !== "") yield JSON.parse(line) as T;
  }

  /** Server-sent events, each as it comes. */
  protected async *events<T>(call: Call): AsyncGenerator<ServiceEvent<T>, void, undefined> {
    let event = "message";
    for await (const line of textLines(await this.#send(call))) {
      if (line.startsWith("event: ")) event = line.slice("event: ".length);
      if (line.startsWith("data: ")) yield { event, data: JSON.parse(line.slice("data: ".length)) as T };
    }
  }

  /** Where the stream of the live run is opened. The token is one of the protocols: browsers send no other header. */
  liveStream(): StreamAddress {
    const url = this.#urlOf("/v1/live/stream");
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const protocols = ["flycatcher.v1", ...(this.#token === undefined ? [] : [`bearer.${this.#token}`])];
    return { url: url.href, protocols };
  }

  async #send({ method, path, accept, body, bytes, options }: Call): Promise<Response> {
    const headers: Record<string, string> = { accept: `${accept}, application/problem+json` };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    if (bytes !== undefined) headers["content-type"] = "application/octet-stream";
    const content = bytes ?? (body === undefined ? null : JSON.stringify(body));
    const fetch = this.#fetch;
    const response = await fetch(this.#urlOf(path), {
      method,
      headers,
      body: content as NonNullable<RequestInit["body"]> | null,
      signal: options?.signal ?? null,
    });
    if (response.ok) return response;
    throw new ServiceProblem(await problemOf(response));
  }

  #urlOf(path: string): URL {
    const url = new URL(this.#address);
    url.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
    return url;
  }
}

/** What a refusal says. One that is no problem document comes from something between client and service, such as a proxy. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("application/problem+json") === true) return JSON.parse(text);
  const title = "The answer is not the service's";
  const remedy = "Check the address, and what stands between client and service.";
  return { type: "about:blank", title, status: response.status, detail: text.slice(0, 200), code: "", remedy };
}

/** The lines of a body as they come. To stop reading ends the request. */
async function* textLines({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (done) break;
    }
    if (rest !== "") yield rest;
  } finally {
    await reader.cancel();
  }
}
