import type { ClientOptions } from '../../src/index.ts';
import { createClient } from '../../src/index.ts';
import { KEY } from './data.ts';

/** Creates a client of a server, with the key of the tests. */
export const clientAt = (baseUrl: string, options: ClientOptions = {}) =>
  createClient({ baseUrl, apiKey: KEY, ...options });

/** Creates a client of an address where nothing is: a `fetch` of the test answers for it. */
export const clientWith = (options: ClientOptions = {}) => clientAt('https://api.example.com', options);
