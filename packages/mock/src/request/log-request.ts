import { readJson } from '../http/read-json.ts';
import { weightOf } from '../world/log/weight.ts';
import { keyOf } from './authenticate.ts';
import type { RequestContext } from './request-context.ts';

/** Characters to keep of a refused body: anyone can send one, even without a key. */
const REFUSED_KEPT = 4_096;

/** A copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string, length: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)));

/**
 * Logs a request, once, unless its era is over; of a long body that was refused, only the beginning.
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
  world.log.add(
    {
      operation: route?.id,
      method: call.method,
      path: call.path,
      keyId: keyOf(world.keys, call)?.id,
      params: route?.params ?? {},
      query: query.values,
      search: call.search,
      body,
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
