import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { page } from './page.ts';

const document = join(mkdtempSync(join(tmpdir(), 'confab-bench-')), 'openapi.json');
const example: unknown = JSON.parse(page);
const json = { schema: { type: 'object' }, example };
writeFileSync(
  document,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Leads', version: '1' },
    paths: {
      '/api/v2/public/leads': {
        get: { responses: { 200: { description: 'OK', content: { 'application/json': json } } } },
      },
    },
  }),
);

const server = createServer(await getHttpOperationsFromSpec(document), {
  components: { logger: createLogger('bench', { level: 'silent' }) },
  cors: false,
  config: {
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    isProxy: false,
    mock: { dynamic: false },
  },
});
const url = await server.listen(0, '127.0.0.1');
console.log(url);
