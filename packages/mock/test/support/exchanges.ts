import type { Exchange } from '../../src/cli/forward/ask-service.ts';
import { Recording } from '../../src/cli/forward/recording.ts';
import { readQuery } from '../../src/request/input.ts';
import { routeOf } from '../../src/request/route.ts';

/** Creates exchanges of one run: each knows how many requests of its operation came before. A text is sent as it is. */
const exchanges = () => {
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

/** A recording without personal data, and a way to add the exchanges of one run to it. */
export const recorder = (options: { readonly maxCharacters?: number } = {}) => {
  const recording = new Recording({ keepPersonalData: false, ...options });
  const exchange = exchanges();
  const record = (...of: Parameters<typeof exchange>) => {
    const { request, outcome } = exchange(...of);
    recording.add(request, outcome);
  };
  return { recording, record };
};
