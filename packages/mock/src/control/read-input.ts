import { typeName, unknownNames } from '@confab/internal';
import { standardWebhooks } from '@confab/webhooks';
import { checkThat, throwIfInvalid } from '../errors/check.ts';
import { invalid } from '../errors/refusal.ts';
import { readQuery } from '../request/input.ts';
import { readJson } from '../request/json.ts';
import type { Endpoint } from './endpoints.ts';
import { CONTROL_PREFIX, UNLIMITED } from './routes.ts';

/** Reads a query, with numbers where the endpoint has integers. */
const readControlQuery = ({ query }: Endpoint, search: string): object => {
  const { values, repeated } = readQuery(search, undefined);
  const [duplicate] = repeated;
  const problem =
    unknownNames('query parameter', values, Object.keys(query)) ??
    (duplicate && `query.${duplicate} must be given once, not several times`);
  if (problem !== undefined) {
    throw invalid(problem);
  }
  const read = Object.entries(values).map(([name, value]) => {
    const isNumber = query[name] === 'integer' && /^-?\d+$/.test(String(value));
    return [name, isNumber ? Number(value) : value];
  });
  return Object.fromEntries(read);
};

/**
 * Reads a JSON object.
 *
 * @param name What messages call it: `body`.
 * @throws A {@link Refusal} 400, when the text is anything else.
 */
export const readJsonObject = (name: string, text: string): object => {
  const { value, problem } = readJson(text);
  if (problem !== undefined || typeName(value) !== 'an object') {
    throw invalid(`${name} ${problem ?? `must be a JSON object, got ${typeName(value)}`}`);
  }
  return value as object;
};

/**
 * Reads the query and the body of a request to a control endpoint. The mock checks the values in them.
 *
 * @throws A {@link Refusal} 400, when a parameter is unknown or repeated, when the body is not a JSON object, or when
 * there is a body for a POST, PATCH or DELETE that reads none.
 */
export const readControlInput = (endpoint: Endpoint, search: string, text: string) => {
  const { method, path, body } = endpoint;
  const query = readControlQuery(endpoint, search);
  // If there is no input, some tools send nothing, others an empty object.
  const isEmpty = ['', '{}'].includes(text.trim());
  if (body === undefined && !isEmpty && method !== 'GET') {
    throw invalid(`${method} ${CONTROL_PREFIX}${path} must be called without a body`);
  }
  return { query, body: body === undefined || isEmpty ? {} : readJsonObject('body', text) };
};

const isScheme = checkThat(
  (value) => value === 'standard-webhooks',
  'an object such as { "header": "x-signature" }, or "standard-webhooks"',
);

/** Converts options from JSON, which has null for `Infinity` and the name of a signature scheme for the scheme. */
export const fromJson = <Options extends object>(body: object): Options =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (value === null && UNLIMITED.includes(name)) {
      return Number.POSITIVE_INFINITY;
    }
    if (name !== 'signature' || typeof value !== 'string') {
      return value;
    }
    throwIfInvalid(isScheme(name, value));
    return standardWebhooks();
  });
