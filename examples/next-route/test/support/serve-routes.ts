import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The exports of a `route.ts`. */
type Route = Readonly<Record<string, (request: Request) => Promise<Response>>>;

const toRequest = async (incoming: IncomingMessage): Promise<Request> => {
  const { method = 'GET', url = '/', headers } = incoming;
  const body = await buffer(incoming);
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
};

/** Serves route handlers over HTTP as Next does: by path and method, with a web-standard `Request`. */
export const serveRoutes = async (routes: Readonly<Record<string, Route>>) => {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const request = await toRequest(incoming);
      const route = routes[new URL(request.url).pathname];
      const handle = route?.[request.method];
      const response =
        (await handle?.(request)) ?? new Response(null, { status: route === undefined ? 404 : 405 });
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    } catch {
      outgoing.writeHead(500).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
};
