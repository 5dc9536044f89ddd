import ky from 'ky';
import type { RouteId } from '../control/routes.ts';
import { CONTROL_PREFIX, routeTo } from '../control/routes.ts';
import type { MockErrorCode } from '../errors/mock-error.ts';
import { MockError } from '../errors/mock-error.ts';
import { failureOf } from '../world/webhooks/attempt.ts';
import { readText } from './read-text.ts';
import { toJson } from './to-json.ts';

/** More than a mock with a full log has to say. */
const MOST_BYTES = 256 * 1024 * 1024;

interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds that the operation may take in addition to the timeout of the connection. */
  readonly grace?: number;
}

interface Success<Data> {
  readonly data: Data;
  readonly meta: { readonly total: number };
}

/** Calls the control operations of one mock. */
export interface Call {
  /** Milliseconds that an operation may take. */
  readonly timeoutMs: number;
  /** @throws {@link MockError} When the server refuses the operation, with its message, or can't be reached. */
  <Data>(id: RouteId, options?: CallOptions): Promise<Success<Data>>;
  /** Calls an operation on something with an id, and returns whether that existed. */
  existed(id: RouteId, options: CallOptions): Promise<boolean>;
  /** The same for a mock below this one. */
  below(path: string): Call;
}

interface Envelope {
  readonly success?: unknown;
  readonly error?: unknown;
  readonly code?: unknown;
}

/** The errors that say that something with an id does not exist. */
const missing = new WeakSet<MockError>();

const codeOf = (status: number, code: unknown): MockErrorCode => {
  if (code === 'VERIFICATION_FAILED' || code === 'DELIVERIES_PENDING') {
    return code;
  }
  if (status === 401 || status === 403) {
    return 'REMOTE_DENIED';
  }
  return status >= 500 ? 'REMOTE_FAILED' : 'INVALID_ARGUMENT';
};

/** The message of a refusal without the parts of the request, which callers of a method never see. */
const inCode = (message: string): string =>
  message
    .replace(/(^|; )(?:body|query)\.(?=\w)/g, '$1')
    .replace(/(^|; )body has /g, '$1the argument has ')
    .replace(/^Unknown query parameter /, 'Unknown filter ');

/** The error for a refusal of the server, with its message. */
const toError = (status: number, { error, code }: Envelope): MockError => {
  const hint = code === 'ADMIN_TOKEN_REQUIRED' ? ' Pass it to connectMock() as `adminToken`.' : '';
  const refusal = new MockError(codeOf(status, code), `${inCode(String(error))}${hint}`);
  if (status === 404 && code === 'NOT_FOUND') {
    missing.add(refusal);
  }
  return refusal;
};

const parsed = (text: string): Envelope | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

interface CallSettings {
  readonly adminToken: string | undefined;
  readonly timeoutMs: number;
}

/**
 * Creates the function that sends control operations.
 *
 * @param url The base URL of the mock, without a trailing slash.
 */
export const createCall = (url: string, options: CallSettings): Call => {
  const { adminToken, timeoutMs } = options;
  const http = ky.create({
    // Neither harmless to repeat nor flaky; and a followed redirect would carry the token to another host.
    retry: 0,
    // That of ky ends with the headers of a response.
    timeout: false,
    redirect: 'manual',
    throwHttpErrors: false,
    headers: adminToken === undefined ? {} : { 'x-admin-token': adminToken },
  });

  const send = async (id: RouteId, { params, query, body, grace = 0 }: CallOptions) => {
    const { method, path } = routeTo(id, params);
    const target = url + CONTROL_PREFIX + path;
    // Outside the `try`: what can't be sent is no failure of the network.
    const json = body === undefined ? undefined : toJson(body);
    try {
      const response = await http(target, {
        method,
        ...(timeoutMs === Number.POSITIVE_INFINITY ? {} : { signal: AbortSignal.timeout(timeoutMs + grace) }),
        ...(query === undefined ? {} : { searchParams: query }),
        ...(json === undefined ? {} : { body: json, headers: { 'content-type': 'application/json' } }),
      });
      return {
        status: response.status,
        text: await readText(response, MOST_BYTES),
        what: `${method} ${target}`,
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') {
        throw new MockError(
          'REMOTE_UNREACHABLE',
          `${method} ${target} did not complete within ${timeoutMs + grace} ms. Check that the mock is running, or raise the \`timeoutMs\` of connectMock().`,
          { cause: error },
        );
      }
      throw new MockError(
        'REMOTE_UNREACHABLE',
        `No mock responded at ${url}: ${failureOf(error)}. Check that it is running: npx @confab/mock.`,
        { cause: error },
      );
    }
  };

  const call = async <Data>(id: RouteId, options: CallOptions = {}): Promise<Success<Data>> => {
    const { status, text, what } = await send(id, options);
    if (text === undefined) {
      throw new MockError('REMOTE_FAILED', `${what} responded with more than 256 MiB`);
    }
    const envelope = parsed(text);
    if (envelope?.success === true) {
      return envelope as unknown as Success<Data>;
    }
    if (envelope?.success === false && typeof envelope.error === 'string') {
      throw toError(status, envelope);
    }
    throw new MockError(
      'REMOTE_FAILED',
      `${what} responded with ${status}, but not as a mock does. Check that ${url} is the base URL of a mock.`,
    );
  };

  return Object.assign(call, {
    existed: async (id: RouteId, options: CallOptions): Promise<boolean> => {
      try {
        await call(id, options);
        return true;
      } catch (error) {
        if (error instanceof MockError && missing.has(error)) {
          return false;
        }
        throw error;
      }
    },
    timeoutMs,
    below: (path: string) => createCall(url + path, options),
  });
};
