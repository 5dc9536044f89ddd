import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';

/** The operation of a request, and the parameters in its path. */
export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly segments: readonly string[];
}

const patterns: readonly Pattern[] = Object.values(operations).map((operation) => ({
  id: operation.id,
  operation,
  segments: operation.path.split('/'),
}));

/** The name in `{name}`. */
const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Invalid percent-encoding: the check of the parameters refuses the raw text.
    return segment;
  }
};

const match = (pattern: Pattern, segments: readonly string[]): Route | undefined => {
  if (segments.length !== pattern.segments.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [at, wanted] of pattern.segments.entries()) {
    const given = segments[at] ?? '';
    if (given === wanted) {
      continue;
    }
    const name = parameterOf(wanted);
    if (name === undefined || given === '') {
      return undefined;
    }
    params[name] = decoded(given);
  }
  return { id: pattern.id, operation: pattern.operation, params };
};

/** Finds the operation with a method and a path, in the table of the contract. */
export const routeOf = (method: string, path: string): Route | undefined => {
  const segments = path.split('/');
  for (const pattern of patterns) {
    if (pattern.operation.method !== method) {
      continue;
    }
    const found = match(pattern, segments);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
};
