import type { IncomingMessage, ServerResponse } from 'node:http';
import { isHealthCheck } from '../../control/routes.ts';
import { payloadTooLarge } from '../../errors/refusal.ts';
import { Capacity } from '../../http/capacity.ts';
import type { TlsOptions } from '../../http/http-server.ts';
import { startHttpServer } from '../../http/http-server.ts';
import { readIncomingBytes } from '../../http/incoming.ts';
import { send, sendFailure } from '../../http/send.ts';
import { errorBody, isBodiless, jsonResponse, NETWORK_ERROR } from '../../request/envelope.ts';
import { decodeText, toBaseUrl, toRoutedMethod } from '../../request/incoming-request.ts';
import { findRoute } from '../../request/route.ts';
import type { LoggedRequest } from '../../world/log/logged-request.ts';
import { DriftLog, findDrift } from '../drift.ts';
import type { ForwardLimits, Outcome } from '../fetch-upstream.ts';
import { fetchUpstream, unreachableReason } from '../fetch-upstream.ts';
import { Recorder } from '../record/recorder.ts';
import { checkIncoming, pathOf } from './check-incoming.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { SeenKeys } from './seen-keys.ts';

/** A request that was passed on or refused. Its path has no query, which often contains a name or a phone number. */
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
  readonly keepPersonalData?: boolean | undefined;
  /** Called with a line for each new kind of drift, and for each failure to reach the service. */
  readonly report: (line: string) => void;
  /** Called after each response, or when there is none. */
  readonly onRequest?: ((request: EndedRequest) => void) | undefined;
  /** Lower limits, for tests. */
  readonly limits?: ForwardLimits | undefined;
}

/** A proxy in front of a service, which compares it with the contract. */
export type Forward = Awaited<ReturnType<typeof forward>>;

/** Passes the outcome back to the caller. */
const reply = (outgoing: ServerResponse, outcome: Outcome): void => {
  if (outcome.kind === 'reply') {
    const { status, headers, bytes } = outcome;
    const length = isBodiless(status, outgoing.req.method) ? {} : { 'content-length': bytes.length };
    outgoing.writeHead(status, { ...responseHeaders(headers), ...length }).end(bytes);
  } else if (outcome.kind === 'failure') {
    send(outgoing, jsonResponse(outcome.status, errorBody(outcome.message, outcome.code)));
  } else {
    send(outgoing, NETWORK_ERROR);
  }
};

/**
 * Starts a server that passes requests on to a service, and compares both directions with the contract.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the URL, or the certificate or its key, is invalid.
 * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 */
export const forward = async (options: ForwardOptions) => {
  const { url: service, key, port, host, tls, keepPersonalData = false, report, onRequest, limits } = options;
  const base = toBaseUrl(service);
  const capacity = new Capacity();
  const keys = new SeenKeys(key);
  const drift = new DriftLog();
  const recorder = new Recorder({ keepPersonalData });
  /** The number of requests of each operation. */
  const counts = new Map<string | undefined, number>();
  let lastReason: string | undefined;

  /** Sends a request to the service, and records the outcome before the caller gets the response. */
  const exchange = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<Outcome> => {
    const take = capacity.begin(outgoing);
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    keys.add(incoming);
    checkIncoming(incoming, key);
    const bytes = await readIncomingBytes(incoming, take);
    if (bytes === undefined) {
      throw payloadTooLarge();
    }
    const { method = 'GET', url: target = '/' } = incoming;
    const url = new URL(base.href + target);
    const path = pathOf(incoming);
    const route = findRoute(toRoutedMethod({ method }), path);
    const index = counts.get(route?.id) ?? 0;
    counts.set(route?.id, index + 1);
    const outcome = await fetchUpstream({
      url,
      method,
      headers: requestHeaders(incoming, key),
      // `fetch` refuses a body for these methods, and no operation has one.
      body: method === 'GET' || method === 'HEAD' ? undefined : bytes,
      signal: gone.signal,
      take,
      limits,
    });
    const request = { route, index, method, path, search: url.search.slice(1), body: decodeText(bytes) };
    recorder.add(request, outcome);
    drift.add(findDrift(request, outcome).map(keys.redact)).forEach(report);
    // A reason is reported again only after it has changed.
    const reason = unreachableReason(outcome);
    if (reason !== undefined && reason !== lastReason) {
      report(keys.redact(reason));
    }
    lastReason = reason;
    return outcome;
  };

  const passOn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET' } = incoming;
    const path = pathOf(incoming);
    // A health check is about this proxy, not about the service, which has no such path and may be slow or down.
    if (isHealthCheck(method, path)) {
      incoming.resume();
      send(outgoing, jsonResponse(200, '{"success":true,"data":{"status":"ok"}}'));
      return;
    }
    const at = Date.now();
    try {
      reply(outgoing, await exchange(incoming, outgoing));
    } catch (error) {
      sendFailure(outgoing, error);
    }
    const status = outgoing.headersSent ? outgoing.statusCode : undefined;
    onRequest?.({ method, path: keys.redact(path), status, at });
  };

  const server = await startHttpServer((...args) => void passOn(...args), { port, host, tls });
  return { ...server, drift, recorder, data: () => recorder.data(keys) };
};
