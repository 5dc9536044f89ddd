import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { closestName } from '@confab/internal';

/** The parameters in a path. */
export type PathParams = Readonly<Record<string, string>>;

/** The operation of a request, and the parameters in its path. */
export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: PathParams;
}

/** Decodes a part of a path. Invalid percent-encoding is left for the check of the parameters to refuse. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Returns the parameters of a path that matches a pattern, such as `leads/{id}`. Both are split at their slashes. */
export const matchPath = (pattern: readonly string[], path: readonly string[]): PathParams | undefined => {
  if (pattern.length !== path.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const given = path[index] ?? '';
    const isParameter = wanted.startsWith('{');
    if (isParameter ? given === '' : given !== wanted) {
      return undefined;
    }
    if (isParameter) {
      params[wanted.slice(1, -1)] = decode(given);
    }
  }
  return params;
};

const patterns = Object.values(operations).map((operation) => ({
  operation,
  segments: operation.path.split('/'),
}));

/** Finds the operation with a method and a path, in the table of the contract. */
export const findRoute = (method: string, path: string): Route | undefined => {
  const given = path.split('/');
  for (const { operation, segments } of patterns) {
    const params = operation.method === method ? matchPath(segments, given) : undefined;
    if (params !== undefined) {
      return { id: operation.id, operation, params };
    }
  }
  return undefined;
};

/** The beginning of a path, `/api/v2/public`, or the parts of it that were written. */
const PREFIX = /^(?:\/api)?(?:\/v\d+)?(?:\/public)?(?=\/)/;

const ID = /(?<=\/)[\da-f]{8}-[\da-f-]{27}(?=\/|$)/gi;

/** Returns the operation with the most similar spelling: first of the resource, then of the method and path. */
const closestOperation = (method: string, path: string): Operation | undefined => {
  const shortPath = (full: string) => full.replace(PREFIX, '').replace(ID, '{id}');
  const resourceOf = (full: string) => shortPath(full).split('/')[1] ?? '';
  const all = patterns.map(({ operation }) => operation);
  const resource = closestName(resourceOf(path), new Set(all.map((operation) => resourceOf(operation.path))));
  const known = new Map(
    all
      .filter((operation) => resourceOf(operation.path) === resource)
      .map((operation) => [`${operation.method} ${shortPath(operation.path)}`, operation]),
  );
  return known.get(closestName(`${method} ${shortPath(path)}`, known.keys()) ?? '');
};

/** Describes a request that no operation handles, and suggests the operation that was probably meant. */
export const describeUnknownPath = (method: string, path: string): string => {
  const segments = path.split('/');
  const methods = patterns
    .filter((pattern) => matchPath(pattern.segments, segments) !== undefined)
    .map(({ operation }) => operation.method);
  const closest = methods.length === 0 ? closestOperation(method, path) : undefined;
  const hint = closest && `. Did you mean ${closest.method} ${closest.path}?`;
  const others = methods.length > 0 ? `. The methods of this path are ${methods.join(' and ')}.` : '';
  return `No operation at ${method} ${path}${hint ?? others}`;
};
