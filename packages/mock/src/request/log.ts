import { ErrorEnvelopeSchema } from '@confab/client/contract';
import { weightOf } from '../world/log/log.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import { keyOf } from './auth-and-rate-limit.ts';
import type { RequestContext } from './context.ts';
import type { ServiceResponse } from './envelope.ts';
import { readJson } from './json.ts';

/** Characters to keep of a response, and of a refused body: anyone can send one, even without a key. */
const MAX_KEPT = 4_096;

/** The error of a response, if its body has the form of one. A body of a fault may have any other. */
const errorOf = (body: string): LoggedRequest['error'] => {
  const result = ErrorEnvelopeSchema.safeParse(readJson(body).value);
  return result.success ? { code: result.data.code, message: result.data.error } : undefined;
};

/** A copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string): string =>
  text.length > MAX_KEPT ? new TextDecoder().decode(new TextEncoder().encode(text.slice(0, MAX_KEPT))) : text;

/**
 * Logs a request once, without the keys in it. Nothing is logged if the mock was reset meanwhile, and only the beginning
 * of a long body that was refused.
 *
 * @param response Its response; `undefined` if it has none.
 */
export const logRequest = (context: RequestContext, response: ServiceResponse | undefined): void => {
  if (context.logged || context.resetSignal.aborted) {
    return;
  }
  context.logged = true;
  const { world, incoming, route, query, body: text = '', fault, at } = context;
  const refused = response !== undefined && response.status >= 400;
  const error = refused ? errorOf(response.body) : undefined;
  const bodyTruncated = refused && fault === undefined && text.length > MAX_KEPT;
  const body = bodyTruncated ? beginningOf(text) : text === '' ? undefined : readJson(text).value;
  const responseBody = response === undefined ? undefined : beginningOf(response.body);
  // The caller wrote these, or they may repeat what the caller wrote.
  const sent = {
    path: incoming.path,
    params: route?.params ?? {},
    query: query.values,
    search: incoming.search,
    body,
    error,
    responseBody,
  };
  const kept = responseBody ?? '';
  const [json, plain] = typeof body === 'string' ? ['', body] : [text, ''];
  const entry: LoggedRequest = {
    operation: route?.id,
    method: incoming.method,
    keyId: keyOf(world.keys, incoming)?.id,
    ...world.secrets.redact(sent, incoming.path, incoming.search, text, kept),
    bodyTruncated,
    status: response?.status,
    fault,
    at,
    durationMs: world.clock.now() - at,
  };
  // The query is kept twice, and the parameters are parts of the path. The error is part of the response.
  const { path, search } = incoming;
  world.log.add(entry, weightOf(json, plain, path, path, search, search, kept, kept));
  world.watchers.report('request', entry);
};
