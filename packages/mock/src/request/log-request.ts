import type { LoggedRequest } from '../world/log/log.ts';
import { weightOf } from '../world/log/weight.ts';
import type { World } from '../world/world.ts';
import { keyOf } from './authenticate.ts';
import { readJson } from './check-input.ts';
import type { Received } from './request-context.ts';

/** Characters of a refused body that are kept: nobody has to have a key to send one. */
const REFUSED_KEPT = 4_096;

/** A copy: a part of a long text would keep all of it in memory. */
const beginningOf = (text: string, length: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)));

/** Puts a request in the log, with as much of its body as it deserves. */
export const logRequest = (
  world: World,
  { call, found, query, body: text = '' }: Received,
  { at, status, fault }: Pick<LoggedRequest, 'at' | 'status' | 'fault'>,
): void => {
  const refused = fault === undefined && status !== undefined && status >= 400;
  const bodyTruncated = refused && text.length > REFUSED_KEPT;
  const body = bodyTruncated ? beginningOf(text, REFUSED_KEPT) : readJson(text).value;
  const [json, plain] = typeof body === 'string' ? ['', body] : [text, ''];
  world.log.add(
    {
      operation: found?.id,
      method: call.method,
      path: call.path,
      keyId: keyOf(world.keys, call)?.id,
      params: found?.params ?? {},
      query: query.values,
      search: call.search,
      body,
      bodyTruncated,
      status,
      fault,
      at,
    },
    // The query is kept twice, and the parameters are parts of the path.
    weightOf(json, plain, call.path, call.path, call.search, call.search),
  );
};
