/** Runs the program in Node, Bun and Deno, where the mock works in the same process too. */
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { program } from './program.ts';

const [baseUrl = '', apiKey = '', slowKey = ''] = process.argv.slice(2);
await program({ baseUrl, apiKey, slowKey });

const mock = createMock();
await createClient(mock.clientOptions).leads.create({ phone: '+442079460958' });
if (mock.leads.count() !== 1) {
  throw new Error('The mock of the tarball has no lead after leads.create().');
}
