import { namesOf, typeName } from '@confab/internal';
import { checkNames } from '../checks/check-names.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { remoteParts } from './build-parts.ts';
import { createCall } from './call.ts';
import type { RemoteMock } from './remote-mock.ts';
import { remoteWorlds } from './remote-worlds.ts';

/** The options of {@link connectMock}. */
export interface ConnectOptions {
  /**
   * The admin token of the server, if it has one.
   * @default none
   */
  readonly adminToken?: string | undefined;
}

const OPTIONS = namesOf<ConnectOptions>({ adminToken: true });

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is not an http or https URL. */
const checkUrl = (given: string | URL): string => {
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) {
    throw invalidArgument(
      `connectMock() must be called with the base URL of a served mock, such as http://127.0.0.1:4010, got ${JSON.stringify(String(given))}`,
    );
  }
  return url.href.replace(/\/+$/, '');
};

/**
 * Connects to a mock that `confab-mock` or `serve()` serves, in this process or in another, and returns its asynchronous
 * twin. The URL of a world connects to that world.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the URL or an option is invalid.
 * @throws {@link MockError} `REMOTE_UNREACHABLE`, when no server responds.
 * @throws {@link MockError} `REMOTE_DENIED`, when the admin token is missing or wrong.
 * @throws {@link MockError} `REMOTE_FAILED`, when the server is not a mock.
 * @example
 * ```ts
 * const mock = await connectMock('http://127.0.0.1:4010');
 * await mock.leads.create({ phone: '+5511987654321' });
 * await mock.requests.verify({ operation: 'leads.list', times: 1 });
 * ```
 */
export const connectMock = async (url: string | URL, options: ConnectOptions = {}): Promise<RemoteMock> => {
  checkNames('option of connectMock()', options, OPTIONS);
  const { adminToken } = options;
  if (adminToken !== undefined && typeof adminToken !== 'string') {
    throw invalidArgument(`\`adminToken\` must be a string, got ${typeName(adminToken)}`);
  }
  const baseUrl = checkUrl(url);
  const call = createCall(baseUrl, adminToken);
  const { apiKey } = (await call<{ apiKey: string }>('info')).data;
  return { ...remoteParts(call, { baseUrl, apiKey }), worlds: remoteWorlds(call, baseUrl) };
};
