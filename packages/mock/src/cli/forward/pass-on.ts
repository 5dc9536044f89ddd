import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathProblem } from '@confab/internal';
import { isControl, isHealthCheck } from '../../control/routes.ts';
import { invalid, notFound, payloadTooLarge, Refusal } from '../../errors/refusal.ts';
import type { BaseUrl } from '../../request/call.ts';
import { methodOf, textOf } from '../../request/call.ts';
import {
  errorBody,
  failureResponse,
  isBodiless,
  jsonResponse,
  NETWORK_ERROR,
  refusalResponse,
} from '../../request/envelope.ts';
import { readQuery } from '../../request/input.ts';
import { routeOf } from '../../request/route.ts';
import { foreignHeader } from '../../server/admin.ts';
import { hasBody, headerOf, readIncomingBytes } from '../../server/incoming.ts';
import type { Capacity, Share } from '../../server/limits.ts';
import { send } from '../../server/send.ts';
import type { Exchange, ForwardedRequest, ForwardLimits, Outcome } from './ask-service.ts';
import { askService } from './ask-service.ts';
import { isLoop, keysIn, requestHeaders, responseHeaders } from './headers.ts';

/** A request that was passed on, or refused. */
interface EndedRequest {
  readonly method: string;
  readonly path: string;
  /** `undefined` if the connection ended without a response. */
  readonly status: number | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The service, and what becomes of the exchanges with it. */
export interface Forwarding {
  readonly base: BaseUrl;
  /** Sent in place of the caller's key. */
  readonly key: string | undefined;
  readonly capacity: Capacity;
  readonly limits: Partial<ForwardLimits> | undefined;
  /** Counts the requests of an operation: returns how many came before. */
  count(operation: string): number;
  /**
   * Called with the keys that a request carries, before anything else.
   *
   * @throws {@link Refusal} 503, when there are too many to keep them out of a recording.
   */
  onKeys(keys: readonly string[]): void;
  /** Called with each exchange, before the caller has the response. */
  onExchange(exchange: Exchange): void;
  /** Called after each response, or when there is none. */
  onEnd(request: EndedRequest): void;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** @throws {@link Refusal} When the request must not reach the service. */
const checkCaller = (incoming: IncomingMessage, key: string | undefined): void => {
  if (isLoop(incoming)) {
    throw new Refusal(502, 'SERVICE_UNAVAILABLE', 'This proxy forwards to itself. Check --forward.');
  }
  const foreign = key === undefined ? undefined : foreignHeader((name) => headerOf(incoming, name));
  if (foreign !== undefined) {
    throw new Refusal(
      403,
      'ORIGIN_REFUSED',
      `This proxy sends a key of its own, so web pages must not use it, and this request has ${JSON.stringify(foreign)}. Call http://127.0.0.1 or http://localhost from a program.`,
    );
  }
  if (!METHODS.includes(incoming.method ?? '')) {
    throw invalid(`This proxy does not forward ${incoming.method} requests`);
  }
};

/** @throws {@link Refusal} When the path could lead anywhere but below the base URL, or is meant for a mock. */
const urlFor = ({ href }: BaseUrl, { url: target = '/' }: IncomingMessage): URL => {
  const [path = ''] = target.split('?', 1);
  if (isControl(path)) {
    throw notFound(
      'This is a proxy in front of a real service, which has no control endpoints. A test that resets a mock must not call it',
    );
  }
  const problem = pathProblem(path);
  if (problem !== undefined) {
    throw invalid(`The path ${problem}`);
  }
  return new URL(href + target);
};

const bodyOf = async (
  incoming: IncomingMessage,
  share: Share,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  if (!hasBody(incoming)) {
    return undefined;
  }
  const bytes = await readIncomingBytes(incoming, share);
  if (bytes === undefined) {
    throw payloadTooLarge();
  }
  return bytes;
};

const reply = (outgoing: ServerResponse, outcome: Outcome): number | undefined => {
  if (outcome.kind === 'lost') {
    const { head } = outcome;
    const broken = head && { status: head.status, headers: responseHeaders(head.headers), body: '' };
    send(outgoing, broken === undefined ? NETWORK_ERROR : { ...broken, ending: 'broken' });
    return head?.status;
  }
  if (outcome.kind === 'failure') {
    send(outgoing, jsonResponse(outcome.status, errorBody(outcome.message, outcome.code)));
    return outcome.status;
  }
  const { status, headers, bytes } = outcome;
  const hasLength = !isBodiless(status) && outgoing.req.method !== 'HEAD';
  outgoing
    .writeHead(status, {
      ...responseHeaders(headers),
      ...(hasLength && { 'content-length': bytes.length }),
    })
    .end(bytes);
  return status;
};

const exchangeWith = async (
  forwarding: Forwarding,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<number | undefined> => {
  const { base, key, capacity, limits } = forwarding;
  forwarding.onKeys(keysIn(incoming));
  const share = capacity.begin();
  outgoing.once('close', share.end);
  checkCaller(incoming, key);
  const url = urlFor(base, incoming);
  const bytes = await bodyOf(incoming, share);
  const { method = 'GET' } = incoming;
  const path = url.pathname.slice(base.prefix.length);
  const route = routeOf(methodOf({ method }), path);
  const request: ForwardedRequest = {
    route,
    index: route === undefined ? 0 : forwarding.count(route.id),
    method,
    path,
    query: readQuery(url.search.slice(1), route?.operation.query),
    body: bytes === undefined ? '' : textOf(bytes),
  };
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const outcome = await askService({
    url,
    method,
    headers: requestHeaders(incoming, key),
    // fetch refuses a body here, and no operation has one.
    body: method === 'GET' || method === 'HEAD' ? undefined : bytes,
    signal: gone.signal,
    share,
    limits,
  });
  forwarding.onExchange({ request, outcome });
  return reply(outgoing, outcome);
};

/** Passes a request on to the service, and the response back. */
export const passOn = async (
  forwarding: Forwarding,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { method = 'GET', url: target = '/' } = incoming;
  const [path = ''] = target.split('?', 1);
  // It asks about this proxy: the service has no such path, and may be slow or down.
  if (isHealthCheck(method, path)) {
    incoming.resume();
    send(outgoing, jsonResponse(200, '{"success":true,"data":{"status":"ok"}}'));
    return;
  }
  const startedAt = Date.now();
  let status: number | undefined;
  try {
    status = await exchangeWith(forwarding, incoming, outgoing);
  } catch (error) {
    if (outgoing.headersSent || outgoing.destroyed) {
      outgoing.destroy();
    } else {
      const answer = error instanceof Refusal ? refusalResponse(error) : failureResponse(error);
      send(outgoing, answer);
      status = answer.status;
    }
  }
  // Without the query, which often holds a name or a phone.
  forwarding.onEnd({ method, path, status, startedAt });
};
