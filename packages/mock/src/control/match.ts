import { closestName } from '@confab/internal';
import type { Refusal } from '../errors/refusal.ts';
import { notFound } from '../errors/refusal.ts';
import type { PathParams } from '../request/route.ts';
import { matchPath } from '../request/route.ts';
import type { RouteId } from './routes.ts';
import { COLLECTIONS, CONTROL_PREFIX, ROUTE_IDS, routeTo } from './routes.ts';

/** A control endpoint. */
export interface Endpoint {
  readonly id: RouteId;
  /** The collection of its rows, if it is about rows. */
  readonly params: PathParams;
  readonly method: string;
  /** Its path below `/__mock/`: `rows/leads/{id}`. */
  readonly path: string;
  /** The status of its success. */
  readonly status: number;
}

/** All control endpoints: one for each operation, and for those on rows one for each collection. */
export const ENDPOINTS: readonly Endpoint[] = ROUTE_IDS.flatMap((id) => {
  const choices: readonly PathParams[] = id.startsWith('rows.')
    ? COLLECTIONS.map((collection) => ({ collection }))
    : [{}];
  return choices.map((params) => ({ id, params, ...routeTo(id, params) }));
});

const matchesOf = (path: string): Endpoint[] =>
  ENDPOINTS.flatMap((endpoint) => {
    const params = matchPath(endpoint.path.split('/'), path.split('/'));
    return params === undefined ? [] : [{ ...endpoint, params: { ...endpoint.params, ...params } }];
  });

/**
 * The control endpoint of a request, with all parameters in its path, if there is one.
 *
 * @param path The path below `/__mock/`.
 */
export const matchControl = (method: string, path: string): Endpoint | undefined =>
  matchesOf(path).find((endpoint) => endpoint.method === method);

/** The path as the most similar endpoint has it, with the ids of the request, for a suggestion. */
const similarPath = (path: string): string | undefined => {
  const given = path.replace(/\/+$/, '').split('/');
  const known = ENDPOINTS.map((endpoint) => endpoint.path.split('/'))
    .filter((segments) => segments.length === given.length)
    .map((segments) => segments.map((segment, at) => (segment.startsWith('{') ? given[at] : segment)).join('/'));
  return closestName(
    path,
    known.filter((each) => each !== path),
  );
};

/** A 404 for a request that no control endpoint matches, with a similar one. */
export const unknownControl = (method: string, path: string): Refusal => {
  const all = `GET ${CONTROL_PREFIX} lists all control endpoints.`;
  const methods = new Set(matchesOf(path).map((endpoint) => endpoint.method));
  if (methods.size > 0) {
    return notFound(
      `${CONTROL_PREFIX}${path} must be called with ${[...methods].join(' or ')}, got ${method}. ${all}`,
    );
  }
  const similar = similarPath(path);
  const hint = similar === undefined ? '' : `Did you mean ${CONTROL_PREFIX}${similar}? `;
  return notFound(`Unknown control endpoint ${method} ${CONTROL_PREFIX}${path}. ${hint}${all}`);
};
