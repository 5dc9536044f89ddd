import { namesOf } from '@confab/internal';
import { checkNames } from '../checks/check-names.ts';
import type { Mock } from '../mock.ts';
import { listen } from './listen.ts';
import type { MockServer, ServeOptions } from './serve-options.ts';

const OPTIONS = namesOf<ServeOptions>({ port: true, host: true, adminToken: true, onRequest: true });

/**
 * Serves a mock over HTTP.
 *
 * `POST /__mock/reset` restores the mock's present state, with its keys, faults and endpoints; `mock.reset()` still
 * restores the state in which `createMock` returned it.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
 * @throws {@link MockClosedError} When the mock is closed.
 * @throws {@link Error} When the port is taken or the address is not available.
 * @example
 * ```ts
 * const mock = createMock({ clock: 'system' });
 * const server = await serve(mock);
 * const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
 * await server.close();
 * ```
 */
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  checkNames('option of serve()', options, OPTIONS);
  return listen(mock, options);
};
