import type { Mock } from '../mock.ts';
import { createCors, isPreflight } from '../server/cors.ts';

/** The part of a `Request` of Playwright that a mock needs. */
export interface RoutedRequest {
  /** The URL. */
  url(): string;
  /** The HTTP method. */
  method(): string;
  /** All headers, those of the browser included. */
  allHeaders(): Promise<Record<string, string>>;
  /** The body; null if there is none. */
  postDataBuffer(): Uint8Array | null;
}

/** What `route.fulfill` is called with. */
export interface Fulfillment {
  /** The HTTP status. */
  status: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  /** The body. */
  body?: Buffer;
}

/** Lets the page read the response, also when its request has credentials: those need the very origin instead of `*`. */
const corsHeaders = (method: string, headers: Readonly<Record<string, string>>): Record<string, string> =>
  headers.origin === undefined
    ? {}
    : {
        ...createCors([headers.origin]).headers({ method, headers }),
        'access-control-allow-credentials': 'true',
      };

/**
 * The response of a mock to the request of a page. `fulfill` sends whole bodies only: one that breaks halfway rejects, like
 * a connection that is lost, and one that stalls never ends.
 */
export const respondTo = async (
  request: RoutedRequest,
  mock: Mock,
  signal: AbortSignal,
): Promise<Fulfillment> => {
  const method = request.method();
  const headers = await request.allHeaders();
  const cors = corsHeaders(method, headers);
  if (isPreflight({ method, headers })) {
    return { status: 204, headers: cors };
  }
  const response = await mock.fetch(request.url(), {
    method,
    // Those of HTTP/2 that begin with a colon are part of the request line.
    headers: Object.entries(headers).filter(([name]) => !name.startsWith(':')),
    body: request.postDataBuffer() as BodyInit | null,
    signal,
  });
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), ...cors },
    body: Buffer.from(await response.arrayBuffer()),
  };
};
