import { closestName } from '@confab/internal';
import type { Refusal } from '../errors/refusal.ts';
import { notFound } from '../errors/refusal.ts';
import type { PathParams } from '../request/route.ts';
import { matchPath } from '../request/route.ts';
import type { ResourceName } from '../world/resources/names.ts';
import { RESOURCE_NAMES } from '../world/resources/names.ts';
import { RESOURCES } from '../world/resources/resources.ts';
import type { RouteId } from './routes.ts';
import { CONTROL_PREFIX, ROUTE_IDS, routeTo } from './routes.ts';

const buildEndpoint = (id: RouteId, collection?: ResourceName) => {
  const { query = {}, ...route } = routeTo(id, collection && { collection });
  const isList = collection !== undefined && id === 'rows.find';
  const fields = isList ? Object.keys(RESOURCES[collection].schema.shape) : [];
  return {
    ...route,
    id,
    collection,
    /** The name that the document gives it: `leads.find`. */
    operationId: collection === undefined ? id : id.replace(/^rows/, collection),
    query: { ...Object.fromEntries(fields.map((name) => [name, 'text' as const])), ...query },
    segments: route.path.split('/'),
  };
};

/** The control endpoints. Each operation on rows has an endpoint for each resource. */
export const ENDPOINTS = ROUTE_IDS.flatMap((id) =>
  id.startsWith('rows.') ? RESOURCE_NAMES.map((name) => buildEndpoint(id, name)) : [buildEndpoint(id)],
);

/** A control endpoint. */
export type Endpoint = (typeof ENDPOINTS)[number];

const findMatches = (path: string): { readonly endpoint: Endpoint; readonly params: PathParams }[] => {
  const segments = path.split('/');
  return ENDPOINTS.flatMap((endpoint) => {
    const params = matchPath(endpoint.segments, segments);
    return params === undefined ? [] : [{ endpoint, params }];
  });
};

/**
 * Finds the control endpoint of a request, and the parameters in its path.
 *
 * @param path The path below `/__mock/`.
 */
export const matchControl = (method: string, path: string) =>
  findMatches(path).find(({ endpoint }) => endpoint.method === method);

/** Finds the path of the most similar endpoint with this method, and puts the ids of the request into it. */
const findSimilarPath = (method: string, path: string): string | undefined => {
  const names = path.replace(/\/+$/, '').split('/');
  const known = ENDPOINTS.filter((endpoint) => endpoint.method === method)
    .map((endpoint) => endpoint.segments)
    .filter((segments) => segments.length === names.length)
    .map((segments) => segments.map((name, index) => (name.startsWith('{') ? names[index] : name)).join('/'));
  return closestName(
    path,
    known.filter((each) => each !== path),
  );
};

/** Builds the 404 for a request that no control endpoint matches. The message suggests a similar endpoint. */
export const unknownControl = (method: string, path: string): Refusal => {
  const all = `GET ${CONTROL_PREFIX} lists all control endpoints.`;
  const methods = new Set(findMatches(path).map(({ endpoint }) => endpoint.method));
  if (methods.size > 0) {
    return notFound(
      `${CONTROL_PREFIX}${path} must be called with ${[...methods].join(' or ')}, got ${method}. ${all}`,
    );
  }
  const similar = findSimilarPath(method, path);
  const hint = similar === undefined ? '' : `Did you mean ${CONTROL_PREFIX}${similar}? `;
  return notFound(`Unknown control endpoint ${method} ${CONTROL_PREFIX}${path}. ${hint}${all}`);
};
