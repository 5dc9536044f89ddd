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
  const [twice] = repeated;
  const problem =
    unknownNames('query parameter', values, Object.keys(query)) ??
    (twice && `query.${twice} must be given once, not several times`);
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
 * @throws {@link Refusal} 400, when the text is anything else.
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
 * @throws {@link Refusal} 400, when a parameter is unknown or repeated, the body is no JSON object, or one was sent to a
 * POST, PATCH or DELETE that reads none.
 */
export const readControlInput = (endpoint: Endpoint, search: string, text: string) => {
  const { method, path, body } = endpoint;
  const query = readControlQuery(endpoint, search);
  // Tools send nothing or an empty object where they have nothing to say.
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

/** Options as a mock takes them, where JSON has null for `Infinity`, and a scheme is named by a text. */
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
