/** Runs the Worker on Node with a mock of the service. */

import { createMock } from '@confab/mock';
import { serve as serveMock } from '@confab/mock/server';
import { serve } from '@hono/node-server';
import worker from './worker.ts';

const PORT = Number(process.env.PORT ?? 3000);

const mock = createMock({ data: 'demo', clock: 'system' });
const api = await serveMock(mock);
const env = {
  CONFAB_BASE_URL: api.url,
  CONFAB_API_KEY: mock.apiKey,
  WEBHOOK_SECRET: 'whsec_of_this_example',
  TEAM_TOKEN: 'team',
};

serve({ fetch: (request) => worker.fetch(request, env), port: PORT, hostname: '127.0.0.1' }, () => {
  const url = `http://127.0.0.1:${PORT}`;
  mock.webhooks.add({ url: `${url}/webhooks`, secret: env.WEBHOOK_SECRET });
  console.log(`Listening. Try:
  curl '${url}/leads?status=new' -H 'authorization: Bearer ${env.TEAM_TOKEN}'
  curl '${url}/leads?offset=-1' -H 'authorization: Bearer ${env.TEAM_TOKEN}'`);
});
