/** Runs one of the applications with a mock of the service. */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { SERVERS, urlOf } from './servers.ts';

const [name = 'express'] = process.argv.slice(2);
const start = SERVERS[name];
if (start === undefined) {
  console.error(`Unknown server "${name}". Choose one of ${Object.keys(SERVERS).join(', ')}.`);
  process.exit(2);
}

const mock = createMock({ data: 'demo', clock: 'system' });
const api = await serve(mock);
const secret = 'whsec_of_this_example';
const env = { CONFAB_BASE_URL: api.url, CONFAB_API_KEY: mock.apiKey, WEBHOOK_SECRET: secret };
const url = urlOf(await start(env, Number(process.env.PORT ?? 3000)));
mock.webhooks.add({ url: `${url}/webhooks`, secret });
console.log(`${name} listens. Try:
  curl ${url}/leads -H 'content-type: application/json' -d '{"phone":"+442079460958"}'
  curl ${url}/leads -H 'content-type: application/json' -d '{"displayName":"Ada"}'`);
