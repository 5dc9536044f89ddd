import type { RequestListener } from 'node:http';

/** A receiver as an application would write it by hand. */
export const toNodeListener =
  (receive: (request: Request) => Promise<Response>): RequestListener =>
  async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk);
    }
    const response = await receive(
      new Request(`http://receiver.test${incoming.url}`, {
        method: incoming.method ?? 'POST',
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        body: Buffer.concat(chunks),
      }),
    );
    outgoing.writeHead(response.status).end(await response.text());
  };
