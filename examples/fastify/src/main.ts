/** Runs the application with a mock of the service. To use the real service, change only the options of `createClient`. */
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { createApp } from './app.ts';
import { createReceiver } from './receiver.ts';
import { visitorOptions } from './visitor-options.ts';

const PORT = Number(process.env.PORT ?? 3000);
const SECRET = 'whsec_of_this_example';

const mock = createMock({ data: 'demo', clock: 'system' });
const confab = createClient({ ...mock.clientOptions, ...visitorOptions });
const app = createApp({ confab, webhooks: createReceiver(confab, SECRET) });

const url = await app.listen({ port: PORT, host: '127.0.0.1' });
mock.webhooks.add({ url: `${url}/webhooks`, secret: SECRET });
console.log(`Listening. Try:
  curl ${url}/contact -H 'content-type: application/json' -d '{"phone":"+442079460958"}'
  curl ${url}/contact -H 'content-type: application/json' -d '{"displayName":"Ada"}'`);
