import { optionProblem } from '@confab/internal';
import type { Checks } from '../errors/check.ts';
import { checkThat, isAdminToken, throwIfInvalid } from '../errors/check.ts';
import { MockError } from '../errors/mock-error.ts';
import { API_PATH, toBaseUrl } from '../request/incoming-request.ts';
import { call } from './call.ts';
import type { RemoteMock } from './remote-mock.ts';
import { remoteParts, remoteWorlds } from './remote-parts.ts';

/** The options of {@link connectMock}. */
export interface ConnectOptions {
  /**
   * The admin token of the server, if it has one.
   * @default none
   */
  readonly adminToken?: string | undefined;
  /**
   * Milliseconds of real time that each call may take, including a move of the clock; `Infinity` for no limit. A flush takes
   * at most five minutes.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT = 30_000;

/** The longest delay of a timer, less the time that a flush adds. A timer with a longer delay would fire at once. */
const MAX_TIMEOUT = 2_000_000_000;

const CHECKS: Checks<ConnectOptions> = {
  adminToken: isAdminToken,
  timeoutMs: checkThat(
    (ms) => typeof ms === 'number' && ms > 0 && (ms <= MAX_TIMEOUT || ms === Number.POSITIVE_INFINITY),
    `milliseconds (more than 0, up to ${MAX_TIMEOUT}), or Infinity`,
  ),
};

/**
 * Connects to a mock server of `confab-mock` or `serve()`, in this process or a different one, and returns the asynchronous
 * twin of its mock. The URL of a world connects to that world.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when the URL or an option is invalid.
 * @throws A {@link MockError} `REMOTE_UNREACHABLE`, when no server responds in time.
 * @throws A {@link MockError} `REMOTE_DENIED`, when the admin token is missing or wrong.
 * @throws A {@link MockError} `REMOTE_FAILED`, when the server is not a mock, or its response is larger than 256 MiB.
 * @example
 * ```ts
 * const mock = await connectMock('http://127.0.0.1:4010');
 * await mock.leads.create({ phone: '+5511987654321' });
 * await mock.requests.verify({ operation: 'leads.list', times: 1 });
 * ```
 */
export const connectMock = async (url: string | URL, options: ConnectOptions = {}): Promise<RemoteMock> => {
  throwIfInvalid(optionProblem('connectMock() option', options, CHECKS));
  const { adminToken, timeoutMs = TIMEOUT } = options;
  // Users copy the address of the inspector from the browser.
  const { href } = toBaseUrl(url, 'url of connectMock()');
  const target = { url: href.replace(/\/__mock$/, ''), adminToken, timeoutMs };
  const base = href.replace(API_PATH, '');
  throwIfInvalid(
    base === href ? undefined : `There is no mock at ${href}, the path of its API. Pass ${base}`,
  );
  const { apiKey } = (await call(target, 'info')).data;
  if (typeof apiKey !== 'string') {
    throw new MockError('REMOTE_FAILED', `The server at ${target.url} does not respond as a mock does.`);
  }
  return { ...remoteParts(target, apiKey), worlds: remoteWorlds(target) };
};
