import { readJson } from '../http/read-json.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import { weightOf } from '../world/log/weight.ts';
import { keyOf } from './authenticate.ts';
import type { RequestContext } from './request-context.ts';

/** Characters to keep of a refused body: anyone can send one, even without a key. */
const REFUSED_KEPT = 4_096;

/** What the caller wrote. */
type Sent = Pick<LoggedRequest, 'path' | 'params' | 'query' | 'search' | 'body'>;

/** A copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string, length: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)));

/**
 * Logs a request without the keys in it, once, unless its era is over; of a long body that was refused, only the beginning.
 *
 * @param status The status of its response; `undefined` if it has none.
 */
export const logRequest = (request: RequestContext, status: number | undefined): void => {
  if (request.logged || request.era.over) {
    return;
  }
  request.logged = true;
  const { world, call, route, query, body: text = '', fault, at } = request;
  const refused = fault === undefined && status !== undefined && status >= 400;
  const bodyTruncated = refused && text.length > REFUSED_KEPT;
  const body = bodyTruncated ? beginningOf(text, REFUSED_KEPT) : readJson(text).value;
  const [json, plain] = typeof body === 'string' ? ['', body] : [text, ''];
  const sent: Sent = {
    path: call.path,
    params: route?.params ?? {},
    query: query.values,
    search: call.search,
    body,
  };
  world.log.add(
    {
      operation: route?.id,
      method: call.method,
      keyId: keyOf(world.keys, call)?.id,
      ...(world.secrets.mayBeIn(call.path, call.search, text) ? world.secrets.redact(sent) : sent),
      bodyTruncated,
      status,
      fault,
      at,
      durationMs: world.clock.now() - at,
    },
    // The query is kept twice, and the parameters are parts of the path.
    weightOf(json, plain, call.path, call.path, call.search, call.search),
  );
};
