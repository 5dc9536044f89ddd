import { closestName } from '@confab/internal';
import type { Refusal } from '../errors/refusal.ts';
import { notFound } from '../errors/refusal.ts';
import type { ControlOperation } from './control-operation.ts';
import { CONTROL_PREFIX } from './routes.ts';

/** A control operation, and the parameters in the path of a request. */
export interface ControlMatch {
  readonly control: ControlOperation;
  readonly params: Readonly<Record<string, string>>;
}

type Named = Pick<ControlOperation, 'method' | 'path'>;

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The parameters of a path, if it has the form of a pattern. */
const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? value !== segment : value === '') {
      return undefined;
    }
    if (name !== undefined) {
      params[name] = decoded(value);
    }
  }
  return params;
};

/** The path with every id replaced by that of the most similar pattern, for a suggestion. */
const similarPath = (path: string, known: readonly Named[]): string | undefined => {
  const plain = path.replace(/\/+$/, '');
  if (plain !== path && known.some((each) => paramsOf(each.path, plain))) {
    return plain;
  }
  const given = path.split('/');
  const fixed = known.flatMap(({ path: pattern }) => {
    const wanted = pattern.split('/');
    return wanted.length === given.length
      ? [wanted.map((segment, at) => (segment.startsWith('{') ? (given[at] ?? '') : segment)).join('/')]
      : [];
  });
  return closestName(
    path,
    fixed.filter((each) => each !== path),
  );
};

const unknownControl = (method: string, path: string, known: readonly Named[]): Refusal => {
  const all = `GET ${CONTROL_PREFIX} lists all control endpoints.`;
  const methods = known.filter((each) => paramsOf(each.path, path)).map((each) => each.method);
  if (methods.length > 0) {
    const allowed = [...new Set(methods)].join(' or ');
    return notFound(`${CONTROL_PREFIX}${path} must be called with ${allowed}, got ${method}. ${all}`);
  }
  const meant = similarPath(path, known);
  const hint = meant === undefined ? '' : `Did you mean ${CONTROL_PREFIX}${meant}? `;
  return notFound(`Unknown control endpoint ${method} ${CONTROL_PREFIX}${path}. ${hint}${all}`);
};

/**
 * Finds the control operation of a request.
 *
 * @param path The path below `/__mock/`.
 * @param others Endpoints outside the table, for suggestions.
 * @throws {@link Refusal} 404, when there is none, with a similar one.
 */
export const matchControl = (
  controls: readonly ControlOperation[],
  { method, path }: Named,
  others: readonly Named[],
): ControlMatch => {
  for (const control of controls) {
    const params = control.method === method ? paramsOf(control.path, path) : undefined;
    if (params !== undefined) {
      return { control, params };
    }
  }
  throw unknownControl(method, path, [...others, ...controls]);
};
