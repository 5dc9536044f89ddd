import { parseArgs } from 'node:util';
import type { ClientOptions } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';

// The tools that change something are left out by default.
const { values: flags } = parseArgs({ options: { 'allow-writes': { type: 'boolean' } } });

/** Your account, or a mock if the environment names none. */
const options = (): ClientOptions => {
  if (process.env.CONFAB_BASE_URL !== undefined) {
    // The client reads CONFAB_BASE_URL and CONFAB_API_KEY itself.
    return {};
  }
  // Standard output belongs to the protocol.
  console.error('CONFAB_BASE_URL is not set: the tools call a mock in memory, with sample data.');
  return createMock({ data: 'demo', clock: 'system' }).clientOptions;
};

// One client for all connections, because its calls share one rate limiter.
const confab = createClient(options());

serveStdio(() => createServer(confab, { allowWrites: flags['allow-writes'] }));
