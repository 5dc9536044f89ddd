import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRedact } from '@confab/internal';
import { isHealthCheck } from '../../control/routes.ts';
import { payloadTooLarge } from '../../errors/refusal.ts';
import { errorBody, isBodiless, jsonResponse, NETWORK_ERROR } from '../../request/envelope.ts';
import { methodOf, textOf, toBaseUrl } from '../../request/incoming-request.ts';
import { readQuery } from '../../request/input.ts';
import { routeOf } from '../../request/route.ts';
import { Capacity } from '../../server/capacity.ts';
import type { HttpServer } from '../../server/http-server.ts';
import { startHttpServer } from '../../server/http-server.ts';
import { readIncomingBytes } from '../../server/incoming.ts';
import { send, sendFailure } from '../../server/send.ts';
import type { TlsOptions } from '../../server/serve-options.ts';
import type { LoggedRequest } from '../../world/log/logged-request.ts';
import type { Exchange, ForwardLimits, Outcome } from './ask-service.ts';
import { askService, unreachable } from './ask-service.ts';
import { DriftLog } from './drift.ts';
import { keysIn, requestHeaders, responseHeaders } from './headers.ts';
import { checkCaller, urlFor } from './incoming.ts';
import type { RecordedData } from './recording.ts';
import { Recording } from './recording.ts';

/** A request that was passed on, or refused. Its path has no query, which often holds a name or a phone. */
type EndedRequest = Pick<LoggedRequest, 'method' | 'path' | 'status' | 'at'>;

interface ForwardOptions {
  /** The base URL of the service. */
  readonly url: string;
  /** Sent to the service in place of the key of each request. */
  readonly key?: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsOptions | undefined;
  /** Whether personal values are recorded as they are. */
  readonly keepPersonalData: boolean;
  /** Called with a line for each new kind of drift, and for each failure to reach the service. */
  readonly report: (line: string) => void;
  /** Called after each response, or when there is none. */
  readonly onRequest?: ((request: EndedRequest) => void) | undefined;
  /** Lower limits, for tests. */
  readonly limits?: Partial<ForwardLimits> | undefined;
}

/** A proxy in front of a service, which compares it with the contract. */
export interface Forward extends HttpServer {
  /** How many requests it has passed on. */
  readonly requests: number;
  readonly recording: Recording;
  /** What was recorded so far. */
  data(): RecordedData;
  /** A line for each kind of drift, with its count. */
  drift(): string[];
}

/** Passes the outcome back to the caller. Returns the status, if there is one. */
const reply = (outgoing: ServerResponse, outcome: Outcome): number | undefined => {
  if (outcome.kind === 'lost') {
    const { head } = outcome;
    const broken = head && { status: head.status, headers: responseHeaders(head.headers), body: '' };
    send(outgoing, broken === undefined ? NETWORK_ERROR : { ...broken, cutOff: async () => {} });
    return head?.status;
  }
  if (outcome.kind === 'failure') {
    send(outgoing, jsonResponse(outcome.status, errorBody(outcome.message, outcome.code)));
    return outcome.status;
  }
  const { status, headers, bytes } = outcome;
  const hasLength = !isBodiless(status) && outgoing.req.method !== 'HEAD';
  const length = hasLength ? { 'content-length': bytes.length } : {};
  outgoing.writeHead(status, { ...responseHeaders(headers), ...length }).end(bytes);
  return status;
};

/**
 * Starts a server that passes requests on to a service, and compares both directions with the contract.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the URL, or the certificate or its key, is invalid.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const forward = async (options: ForwardOptions): Promise<Forward> => {
  const { key, keepPersonalData, report, limits } = options;
  const base = toBaseUrl(options.url);
  const capacity = new Capacity();
  const log = new DriftLog(report);
  const recording = new Recording({ keepPersonalData });
  /** The keys that have passed through, which must appear nowhere. */
  const keys = new Set(key === undefined ? [] : [key]);
  const redact = (text: string, most?: number): string => createRedact([...keys])(text, most);
  /** The number of requests of each operation. */
  const counts = new Map<string, number>();
  let requests = 0;
  let failure: string | undefined;

  const exchangeWith = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<Exchange> => {
    for (const each of keysIn(incoming)) {
      keys.add(each);
    }
    const share = capacity.begin(outgoing);
    checkCaller(incoming, key);
    const url = urlFor(base, incoming);
    const bytes = await readIncomingBytes(incoming, share);
    if (bytes === undefined) {
      throw payloadTooLarge();
    }
    const { method = 'GET' } = incoming;
    const path = url.pathname.slice(base.prefix.length);
    const route = routeOf(methodOf({ method }), path);
    const index = counts.get(route?.id ?? '') ?? 0;
    counts.set(route?.id ?? '', index + 1);
    const query = readQuery(url.search.slice(1), route?.operation.query);
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const outcome = await askService({
      url,
      method,
      headers: requestHeaders(incoming, key),
      share,
      limits,
      signal: gone.signal,
      // fetch refuses a body here, and no operation has one.
      body: method === 'GET' || method === 'HEAD' ? undefined : bytes,
    });
    return { request: { route, index, method, path, query, body: textOf(bytes) }, outcome };
  };

  /** Compares and records an exchange, before the caller has the response. */
  const note = (exchange: Exchange): void => {
    requests += 1;
    log.add(exchange, redact);
    // A reason is reported once, until it changes.
    const reason = unreachable(exchange.outcome);
    if (reason !== undefined && reason !== failure) {
      report(reason);
    }
    failure = reason;
    const wasFull = recording.isFull;
    recording.add(exchange.request, exchange.outcome);
    if (recording.isFull && !wasFull) {
      report('The recording is full: later requests are passed on, but not recorded');
    }
  };

  const passOn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', url: target = '/' } = incoming;
    const [path = ''] = target.split('?', 1);
    // A health check is about this proxy, not about the service, which has no such path and may be slow or down.
    if (isHealthCheck(method, path)) {
      incoming.resume();
      send(outgoing, jsonResponse(200, '{"success":true,"data":{"status":"ok"}}'));
      return;
    }
    const at = Date.now();
    let status: number | undefined;
    try {
      const exchange = await exchangeWith(incoming, outgoing);
      note(exchange);
      status = reply(outgoing, exchange.outcome);
    } catch (error) {
      status = sendFailure(outgoing, error);
    }
    options.onRequest?.({ method, path: redact(path), status, at });
  };

  const server = await startHttpServer((incoming, outgoing) => void passOn(incoming, outgoing), {
    port: options.port,
    host: options.host,
    tls: options.tls,
  });
  return {
    ...server,
    get requests() {
      return requests;
    },
    recording,
    data: () => recording.data(keys),
    drift: () => log.summary(),
  };
};
