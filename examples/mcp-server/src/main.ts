import { parseArgs } from 'node:util';
import type { ClientOptions } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';

// By default, the server offers only tools that read.
const { values: flags } = parseArgs({ options: { 'allow-writes': { type: 'boolean' } } });

/** Returns the options for your account, or for a mock if CONFAB_BASE_URL is not set. */
const chooseOptions = (): ClientOptions => {
  if (process.env.CONFAB_BASE_URL !== undefined) {
    // The client reads CONFAB_BASE_URL and CONFAB_API_KEY itself.
    return {};
  }
  // Standard output belongs to the protocol.
  console.error('CONFAB_BASE_URL is not set: the tools call a mock in memory, with sample data.');
  return createMock({ data: 'demo', clock: 'system' }).clientOptions;
};

// One client for all connections, because its calls share one rate limiter.
const confab = createClient(chooseOptions());

serveStdio(() => createServer(confab, { allowWrites: flags['allow-writes'] }));
