import { ErrorEnvelopeSchema } from '@confab/client/contract';
import type { Redact } from '@confab/internal';
import { createRedact, isObject } from '@confab/internal';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import { estimateBytes } from '../world/log/request-log.ts';
import { findKey } from './auth-and-rate-limit.ts';
import type { RequestContext } from './context.ts';
import type { ServiceResponse } from './envelope.ts';
import { readJson } from './json.ts';

/** How many characters to keep of a response, and of a refused body, which anyone can send without a key. */
const MAX_KEPT = 4_096;

/** Used by mocks without an admin token. */
const AS_IT_IS: Redact = (text, maxLength) => text.slice(0, maxLength);

/** Returns the error in the body of a response, if it has one: the body of a fault may have any shape. */
const parseError = (body: string): LoggedRequest['error'] => {
  const result = ErrorEnvelopeSchema.safeParse(readJson(body).value);
  return result.success ? { code: result.data.code, message: result.data.error } : undefined;
};

/** Returns the first characters of a text. Joining copies them: a slice alone would keep the whole text in memory. */
const keepBeginning = (text: string, redact: Redact): string =>
  text.length > MAX_KEPT ? ` ${redact(text, MAX_KEPT)}`.slice(1) : redact(text);

/** Redacts the strings and names in a JSON value. */
const redactIn = (value: unknown, redact: Redact): unknown => {
  if (typeof value === 'string') {
    return redact(value);
  }
  if (Array.isArray(value)) {
    return value.map((part) => redactIn(part, redact));
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactIn(part, redact)]))
    : value;
};

/**
 * Logs a request once, without admin tokens, unless the mock was reset. A refused body is cut.
 *
 * @param response The response, if there is one.
 */
export const logRequest = (context: RequestContext, response: ServiceResponse | undefined): void => {
  if (context.logged || context.resetSignal.aborted) {
    return;
  }
  context.logged = true;
  const { world, incoming, route, query, body: text = '', fault, at } = context;
  const { path, search } = incoming;
  const refused = response !== undefined && response.status >= 400;
  const bodyTruncated = refused && fault === undefined && text.length > MAX_KEPT;
  const { adminTokens } = world;
  const redact = adminTokens.size === 0 ? AS_IT_IS : createRedact([...adminTokens]);
  const body = bodyTruncated ? keepBeginning(text, redact) : text === '' ? undefined : readJson(text).value;
  const responseBody = response && keepBeginning(response.body, redact);
  // These values come from the caller or may quote it, so admin tokens are removed from them.
  const error = refused ? parseError(response.body) : undefined;
  const sent = { path, params: route?.params ?? {}, query: query.values, search, body, error };
  const kept = responseBody ?? '';
  const [json, plain] = typeof body === 'string' ? ['', body] : [text, ''];
  const entry: LoggedRequest = {
    operation: route?.id,
    method: incoming.method,
    keyId: findKey(world.keys, incoming)?.id,
    ...(redact === AS_IT_IS ? sent : (redactIn(sent, redact) as typeof sent)),
    bodyTruncated,
    responseBody,
    responseTruncated: response !== undefined && response.body.length > MAX_KEPT,
    status: response?.status,
    fault,
    at,
    durationMs: world.clock.now() - at,
  };
  // Counted twice where the entry holds two copies: of the path, of the query and of the response.
  world.log.add(entry, estimateBytes(json, plain, path, path, search, search, kept, kept));
  world.watchers.report('request', entry);
};
