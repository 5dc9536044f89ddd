import ky from 'ky';
import type { RouteId } from '../control/routes.ts';
import { CONTROL_PREFIX, routeTo } from '../control/routes.ts';
import type { MockErrorCode } from '../errors/mock-error.ts';
import { MockError } from '../errors/mock-error.ts';
import { failureOf } from '../world/webhooks/failure-of.ts';
import { toJson } from './to-json.ts';

/** Milliseconds that an operation may take, except for those that wait for something. */
const TIMEOUT = 60_000;

interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the operation may take as long as it needs. */
  readonly patient?: boolean;
}

interface Success<Data> {
  readonly data: Data;
  readonly meta: { readonly total: number };
}

/** Calls the control operations of one mock. */
export interface Call {
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

const codeOf = (status: number): MockErrorCode => {
  if (status === 422) {
    return 'VERIFICATION_FAILED';
  }
  if (status === 401 || status === 403) {
    return 'REMOTE_DENIED';
  }
  return status >= 500 ? 'REMOTE_FAILED' : 'INVALID_ARGUMENT';
};

/** The error for a refusal of the server, with its message. */
const toError = (status: number, { error, code }: Envelope): MockError => {
  const hint = status === 401 ? '. Pass it to connectMock() as `adminToken`.' : '';
  const refusal = new MockError(codeOf(status), `${String(error)}${hint}`);
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

/**
 * Creates the function that sends control operations.
 *
 * @param url The base URL of the mock, without a trailing slash.
 */
export const createCall = (url: string, adminToken: string | undefined): Call => {
  const http = ky.create({
    // Neither harmless to repeat nor flaky; and a followed redirect would carry the token to another host.
    retry: 0,
    redirect: 'manual',
    throwHttpErrors: false,
    headers: adminToken === undefined ? {} : { 'x-admin-token': adminToken },
  });

  const send = async (id: RouteId, { params, query, body, patient }: CallOptions) => {
    const { method, path } = routeTo(id, params);
    const target = url + CONTROL_PREFIX + path;
    // Outside the `try`: what can't be sent is no failure of the network.
    const json = body === undefined ? undefined : toJson(body);
    try {
      const response = await http(target, {
        method,
        timeout: patient ? false : TIMEOUT,
        ...(query === undefined ? {} : { searchParams: query }),
        ...(json === undefined ? {} : { body: json, headers: { 'content-type': 'application/json' } }),
      });
      return { status: response.status, text: await response.text(), what: `${method} ${target}` };
    } catch (error) {
      throw new MockError(
        'REMOTE_UNREACHABLE',
        `No mock responded at ${url}: ${failureOf(error)}. Check that it is running: npx @confab/mock.`,
        { cause: error },
      );
    }
  };

  const call = async <Data>(id: RouteId, options: CallOptions = {}): Promise<Success<Data>> => {
    const { status, text, what } = await send(id, options);
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
    below: (path: string) => createCall(url + path, adminToken),
  });
};
