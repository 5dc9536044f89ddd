import { typeName } from '@confab/internal';
import type { PartOf } from '../control/endpoint-types.ts';
import type { RouteId, RouteParams } from '../control/routes.ts';
import { CONTROL_PREFIX, routeTo } from '../control/routes.ts';
import { formatValue } from '../errors/check.ts';
import { describeFailure } from '../errors/failure-reason.ts';
import type { MockErrorCode } from '../errors/mock-error.ts';
import { invalidArgument, MockError } from '../errors/mock-error.ts';
import { decodeText, readStream } from '../request/incoming-request.ts';
import { toJson } from './to-json.ts';

/** Larger than any response of a mock with a full log. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/** The input of a control operation. */
export interface CallOptions<Id extends RouteId> {
  readonly params?: RouteParams<Id>;
  readonly query?: PartOf<Id, 'query'>;
  readonly body?: PartOf<Id, 'body'>;
  /** Milliseconds that the operation may take in addition to the timeout of the connection. */
  readonly graceMs?: number;
}

/** The response of a mock: with `data` and `meta` for a success, with `error` and `code` for a refusal. */
interface Answer<Id extends RouteId> {
  readonly status: number;
  readonly success: boolean;
  readonly data: PartOf<Id, 'data'>;
  readonly meta: PartOf<Id, 'meta'>;
  readonly error: string;
  readonly code?: unknown;
}

/** A mock server or a world, and how to reach it. */
export interface Target {
  /** The base URL of the mock, without a trailing slash. */
  readonly url: string;
  readonly adminToken: string | undefined;
  /** Milliseconds that an operation may take. */
  readonly timeoutMs: number;
}

const toErrorCode = (status: number, code: unknown): MockErrorCode => {
  if (code === 'VERIFICATION_FAILED' || code === 'DELIVERIES_PENDING') {
    return code;
  }
  if (status === 401 || status === 403) {
    return 'REMOTE_DENIED';
  }
  return status >= 500 ? 'REMOTE_FAILED' : 'INVALID_ARGUMENT';
};

/** The maximum length of a server's message, in characters: the server may not be a mock. */
const MAX_MESSAGE = 4_000;

/** @throws A {@link MockError} when the server refused the operation, with its message. */
const checkSuccess = (
  { success, status, code, error }: Answer<RouteId>,
  { adminToken = '' }: Target,
): void => {
  if (!success) {
    const hint = code === 'ADMIN_TOKEN_REQUIRED' ? ' Pass it to connectMock() as `adminToken`.' : '';
    // Some servers repeat the headers of a request that they refuse.
    const message = adminToken === '' ? error : error.replaceAll(adminToken, '…');
    throw new MockError(toErrorCode(status, code), message.slice(0, MAX_MESSAGE) + hint);
  }
};

/** Parses the envelope of an operation; `undefined` if the text is anything else. */
const parseEnvelope = <Id extends RouteId>(id: Id, text: string): Omit<Answer<Id>, 'status'> | undefined => {
  try {
    const value = JSON.parse(text) as Answer<Id> | null;
    const expected = /\.(?:list|find)$/.test(id) ? 'an array' : 'an object';
    const isEnvelope =
      value?.success === true ? typeName(value.data) === expected : typeof value?.error === 'string';
    return isEnvelope ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Checks that an argument is a non-empty string, because it is part of a path, or because the server would give its absence
 * a different meaning.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not.
 */
export const checkText = (name: string, value: unknown): void => {
  if (typeof value !== 'string' || value === '') {
    throw invalidArgument(`\`${name}\` must be a non-empty string, got ${formatValue(value)}.`);
  }
};

/**
 * Sends a control operation.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when an argument can't be sent.
 * @throws A {@link MockError} when no mock responds in time: `REMOTE_UNREACHABLE` or `REMOTE_FAILED`.
 */
const send = async <Id extends RouteId>(
  { url, adminToken, timeoutMs }: Target,
  id: Id,
  options: CallOptions<Id>,
): Promise<Answer<Id>> => {
  const { params = {}, query = {}, graceMs = 0 } = options;
  for (const [name, value] of Object.entries(params)) {
    checkText(name, value);
  }
  const { method, path } = routeTo(id, params);
  const target = url + CONTROL_PREFIX + path;
  const body = 'body' in options ? toJson(options.body) : null;
  const search = new URLSearchParams(JSON.parse(toJson(query)));
  const limitMs = timeoutMs + graceMs;
  let status: number;
  let text: string | undefined;
  try {
    const response = await fetch(`${target}?${search}`, {
      method,
      body,
      headers: {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(adminToken !== undefined && { 'x-admin-token': adminToken }),
      },
      // A redirect that is followed would carry the token to a different host.
      redirect: 'manual',
      ...(limitMs !== Number.POSITIVE_INFINITY && { signal: AbortSignal.timeout(Math.ceil(limitMs)) }),
    });
    ({ status } = response);
    const bytes = response.body ? await readStream(response.body, MAX_RESPONSE_BYTES) : new Uint8Array();
    text = bytes && decodeText(bytes);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const message = isLate
      ? `${method} ${target} did not complete within ${limitMs} ms. Check that the mock is running, or raise the \`timeoutMs\` of connectMock().`
      : `No mock responded at ${url}: ${describeFailure(error)}. Check that it is running: npx @confab/mock.`;
    throw new MockError('REMOTE_UNREACHABLE', message, { cause: error });
  }
  if (text === undefined) {
    throw new MockError('REMOTE_FAILED', `${method} ${target} responded with more than 256 MiB.`);
  }
  const envelope = parseEnvelope<Id>(id, text);
  if (envelope === undefined) {
    throw new MockError(
      'REMOTE_FAILED',
      `${method} ${target} responded with ${status}, but not as a mock does. Check that ${url} is the base URL of a mock.`,
    );
  }
  return { ...envelope, status };
};

/**
 * Calls a control operation.
 *
 * @throws A {@link MockError} when the server refuses the operation, with its message, or can't be reached.
 */
export const call = async <Id extends RouteId>(
  target: Target,
  id: Id,
  options: CallOptions<Id> = {},
): Promise<Pick<Answer<Id>, 'data' | 'meta'>> => {
  const answer = await send(target, id, options);
  checkSuccess(answer, target);
  return { data: answer.data, meta: answer.meta };
};

/** {@link call} for an operation on an object with an id. Resolves to `undefined` if there is no such object. */
export const callIfExists = async <Id extends RouteId>(
  target: Target,
  id: Id,
  options: CallOptions<Id>,
): Promise<Answer<Id>['data'] | undefined> => {
  const answer = await send(target, id, options);
  if (answer.status === 404 && answer.code === 'NOT_FOUND') {
    return undefined;
  }
  checkSuccess(answer, target);
  return answer.data;
};
