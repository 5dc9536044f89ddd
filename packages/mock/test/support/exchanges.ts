import type { Exchange } from '../../src/cli/forward/ask-service.ts';
import { readQuery } from '../../src/request/input.ts';
import { routeOf } from '../../src/request/route.ts';

/** Creates exchanges of one run: each knows how many requests of its operation came before. A text is sent as it is. */
export const exchanges = () => {
  const counts = new Map<string, number>();
  return (
    [method, path, sent]: readonly [string, string, unknown?],
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Exchange => {
    const [pathname = '', query = ''] = path.split('?', 2);
    const route = routeOf(method, `/api/v2/public/${pathname}`);
    const index = counts.get(route?.id ?? '') ?? 0;
    counts.set(route?.id ?? '', index + 1);
    return {
      request: {
        ...{ route, index, method, path, query: readQuery(query, undefined) },
        body: sent === undefined ? '' : JSON.stringify(sent),
      },
      outcome: {
        kind: 'reply',
        status,
        headers: new Headers(headers),
        bytes: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      },
    };
  };
};
