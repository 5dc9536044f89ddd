import type { Mock } from '../mock.ts';
import { checkServeOptions } from './check-serve-options.ts';
import { listen } from './listen.ts';
import type { MockServer, ServeOptions } from './serve-options.ts';

/**
 * Serves a mock over HTTP.
 *
 * `POST /__mock/reset` restores the mock's present state, with its keys, faults and endpoints; `mock.reset()` still
 * restores the state in which `createMock` returned it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
 * @throws {@link MockClosedError} When the mock is closed.
 * @throws {@link MockError} `CANNOT_LISTEN`, when the port is in use or the address is not available.
 * @example
 * ```ts
 * const mock = createMock({ clock: 'system' });
 * const server = await serve(mock);
 * const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
 * await server.close();
 * ```
 */
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  checkServeOptions(options);
  return listen(mock, options);
};
