import { closestName } from '@confab/internal';
import type { Refusal } from '../errors/refusal.ts';
import { notFound } from '../errors/refusal.ts';
import { matchPath } from '../request/route.ts';
import { ENDPOINTS } from './control-document.ts';
import type { RouteId } from './routes.ts';
import { CONTROL_PREFIX } from './routes.ts';

const matchesOf = (path: string) =>
  ENDPOINTS.flatMap((endpoint) => {
    const params = matchPath(endpoint.path.split('/'), path.split('/'));
    return params === undefined ? [] : [{ endpoint, params }];
  });

/**
 * The control endpoint of a request, with its operation and the parameters in its path, if there is one.
 *
 * @param path The path below `/__mock/`.
 */
export const matchControl = (method: string, path: string) => {
  const match = matchesOf(path).find(({ endpoint }) => endpoint.method === method);
  if (match === undefined) {
    return undefined;
  }
  const { endpoint, params } = match;
  // Each collection has the same operations.
  const [, collection = ''] = /^rows\/(\w+)/.exec(endpoint.path) ?? [];
  const id = collection === '' ? endpoint.operationId : endpoint.operationId.replace(collection, 'rows');
  return { endpoint, id: id as RouteId, params: { ...params, collection } };
};

/** The path of the most similar endpoint of a method, with the ids of the request, for a suggestion. */
const similarPath = (method: string, path: string): string | undefined => {
  const given = path.replace(/\/+$/, '').split('/');
  const known = ENDPOINTS.filter((endpoint) => endpoint.method === method)
    .map((endpoint) => endpoint.path.split('/'))
    .filter((segments) => segments.length === given.length)
    .map((segments) => segments.map((name, at) => (name.startsWith('{') ? given[at] : name)).join('/'));
  return closestName(
    path,
    known.filter((each) => each !== path),
  );
};

/** A 404 for a request that no control endpoint matches, with a similar one. */
export const unknownControl = (method: string, path: string): Refusal => {
  const all = `GET ${CONTROL_PREFIX} lists all control endpoints.`;
  const methods = new Set(matchesOf(path).map(({ endpoint }) => endpoint.method));
  if (methods.size > 0) {
    return notFound(
      `${CONTROL_PREFIX}${path} must be called with ${[...methods].join(' or ')}, got ${method}. ${all}`,
    );
  }
  const similar = similarPath(method, path);
  const hint = similar === undefined ? '' : `Did you mean ${CONTROL_PREFIX}${similar}? `;
  return notFound(`Unknown control endpoint ${method} ${CONTROL_PREFIX}${path}. ${hint}${all}`);
};
