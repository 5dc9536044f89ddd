import { namesOf } from '@confab/internal';
import { checkNames } from '../checks/check-names.ts';
import type { Mock } from '../mock.ts';
import { listen } from './listen.ts';
import type { MockServer, ServeOptions } from './serve-options.ts';

const OPTIONS = namesOf<ServeOptions>({ port: true, host: true, adminToken: true, onRequest: true });

/**
 * Serves a mock over TCP.
 *
 * `POST /__mock/reset` brings the mock back to how it is now, with its keys, faults and endpoints; `mock.reset()` still
 * goes back to how `createMock` made it.
 *
 * @throws {TypeError} For an unknown option, an empty host, or an admin token that is empty or fits no header.
 * @throws {Error} If the port is taken or the address can't be had.
 * @example
 * const mock = createMock({ clock: 'system' });
 * const server = await serve(mock);
 * const confab = createClient({ baseUrl: server.url, apiKey: mock.apiKey });
 * await server.close();
 */
export const serve = async (mock: Mock, options: ServeOptions = {}): Promise<MockServer> => {
  checkNames('option of serve()', options, OPTIONS);
  return listen(mock, options);
};
