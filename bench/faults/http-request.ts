import { request } from "node:http";

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpWords {
  readonly method?: string;
  /** Media type of the body. */
  readonly type?: string;
  readonly body?: Uint8Array | string;
}

/** A request by a connection of its own, which is closed when it is answered: none of ours stays open at the service. */
export function send(url: string, { method = "GET", type, body }: HttpWords = {}): Promise<HttpAnswer> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const headers = { ...length, ...(type !== undefined && { "content-type": type }) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        text += part;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.once("error", reject);
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
