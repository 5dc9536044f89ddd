import { typeName } from '@confab/internal';
import { inspectInput } from '../../request/input.ts';
import type { ForwardedRequest } from '../exchange.ts';
import type { Drift } from './drift.ts';

const WORD = /^[a-z][a-z_-]*$|^v\d+$/i;

/** A path without ids and other values, so that the same drift has one line, and that line nothing personal. */
const patternOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment === '' || WORD.test(segment) ? segment : '{…}'))
    .join('/');

/** Compares a request with the contract. */
export const requestDrift = ({ route, method, path, query, body }: ForwardedRequest): Drift[] => {
  if (route === undefined) {
    const operation = `${method} ${patternOf(path)}`;
    return [{ operation, side: 'request', path: 'path', message: 'belongs to no operation of the contract' }];
  }
  const { params, operation } = route;
  const { problems } = inspectInput(operation, { params, query, body }, typeName);
  return problems.map((problem) => ({ operation: operation.id, side: 'request', ...problem }));
};
