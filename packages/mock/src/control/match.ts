import { closestName } from '@confab/internal';
import type { Refusal } from '../errors/refusal.ts';
import { notFound } from '../errors/refusal.ts';
import type { PathParams } from '../request/route.ts';
import { matchPath } from '../request/route.ts';
import type { ControlOperation } from './operation.ts';
import { CONTROL_PREFIX } from './routes.ts';
import { CONTROLS } from './table.ts';

/** A control operation, and the parameters in the path of a request. */
export interface ControlMatch {
  readonly control: ControlOperation;
  readonly params: PathParams;
}

const PATTERNS = CONTROLS.map((control) => ({ control, segments: control.path.split('/') }));

const matchesOf = (path: string): ControlMatch[] =>
  PATTERNS.flatMap(({ control, segments }) => {
    const params = matchPath(segments, path.split('/'));
    return params === undefined ? [] : [{ control, params }];
  });

/**
 * The control operation of a request, if there is one.
 *
 * @param path The path below `/__mock/`.
 */
export const matchControl = (method: string, path: string): ControlMatch | undefined =>
  matchesOf(path).find(({ control }) => control.method === method);

/** The path as the most similar pattern has it, with the ids of the request, for a suggestion. */
const similarPath = (path: string): string | undefined => {
  const given = path.replace(/\/+$/, '').split('/');
  const known = PATTERNS.filter(({ segments }) => segments.length === given.length).map(({ segments }) =>
    segments.map((segment, at) => (segment.startsWith('{') ? given[at] : segment)).join('/'),
  );
  return closestName(
    path,
    known.filter((each) => each !== path),
  );
};

/** A 404 for a request that no control operation matches, with a similar one. */
export const unknownControl = (method: string, path: string): Refusal => {
  const all = `GET ${CONTROL_PREFIX} lists all control endpoints.`;
  const methods = new Set(matchesOf(path).map(({ control }) => control.method));
  if (methods.size > 0) {
    return notFound(
      `${CONTROL_PREFIX}${path} must be called with ${[...methods].join(' or ')}, got ${method}. ${all}`,
    );
  }
  const similar = similarPath(path);
  const hint = similar === undefined ? '' : `Did you mean ${CONTROL_PREFIX}${similar}? `;
  return notFound(`Unknown control endpoint ${method} ${CONTROL_PREFIX}${path}. ${hint}${all}`);
};
