import type { Operation } from '../contract/index.ts';
import type { Json } from './json.ts';
import { refTo } from './json.ts';

interface ErrorResponse {
  /** The name of the response in the document. */
  readonly name: string;
  readonly description: string;
  /** Message by code. The API publishes only the codes of 401, 403 and 429. */
  readonly examples: Readonly<Record<string, string>>;
}

const ERRORS: Readonly<Record<number, ErrorResponse>> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter or the body is invalid.',
    examples: { INVALID_PARAMETERS: 'query.limit must be a whole number from 1 to 100, got 500' },
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing (`API_KEY_REQUIRED`) or invalid (`API_KEY_INVALID`).',
    examples: {
      API_KEY_REQUIRED: 'An API key is required: send it as X-API-Key: <key> or Authorization: Bearer <key>',
      API_KEY_INVALID: 'The API key is not valid',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The API key lacks a scope (`SCOPE_REQUIRED`), or the request came over plain HTTP.',
    examples: { SCOPE_REQUIRED: 'The API key lacks the scope read:leads' },
  },
  404: {
    name: 'NotFound',
    description: 'There is no resource with this id.',
    examples: { NOT_FOUND: 'No lead has the id 00000000-0000-4000-8000-000000000000' },
  },
  409: {
    name: 'Conflict',
    description: 'The resource already exists.',
    examples: { ALREADY_EXISTS: 'A lead with the phone +442079460958 already exists' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body exceeds the size that the service reads.',
    examples: { PAYLOAD_TOO_LARGE: 'The body must not be larger than 1 MiB' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The API key has used up its rate limit (`RATE_LIMIT_EXCEEDED`).',
    examples: {
      RATE_LIMIT_EXCEEDED: 'Rate limit exceeded: 600 requests in 60 s; try again in 12 s',
    },
  },
};

const integerHeader = (description: string, example: number): Json => ({
  description,
  required: true,
  schema: { type: 'integer' },
  example,
});

/** The headers of a 429. */
export const headers: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': integerHeader('The number of requests that the API key may make in a minute.', 600),
  'X-RateLimit-Remaining': integerHeader('The number of requests that are left.', 0),
  'Retry-After': integerHeader('The number of seconds to wait before the next request.', 12),
};

const errorResponse = ({ description, examples }: ErrorResponse, status: string): Json => ({
  description,
  ...(status === '429'
    ? {
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, refTo('headers', name)])),
      }
    : {}),
  content: {
    'application/json': {
      schema: refTo('schemas', 'ErrorEnvelope'),
      examples: Object.fromEntries(
        Object.entries(examples).map(([code, error]) => [
          code,
          { summary: code, value: { success: false, error, code } },
        ]),
      ),
    },
  },
});

/** Every error response, by name. */
export const errorResponses: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(ERRORS).map(([status, error]) => [error.name, errorResponse(error, status)]),
);

/**
 * The errors that an operation can return: those that the API lists, and those that follow from its input. Any
 * operation can return a 400, for an unknown query parameter.
 */
export const errorsOf = ({ errors, params, body }: Operation): Record<string, Json> => {
  const statuses = new Set([
    ...errors,
    ...[400, 401, 403, 429],
    ...(params === undefined ? [] : [404]),
    ...(body === undefined ? [] : [413]),
  ]);
  return Object.fromEntries(
    [...statuses].sort().flatMap((status) => {
      const known = ERRORS[status];
      return known === undefined ? [] : [[status, refTo('responses', known.name)]];
    }),
  );
};
