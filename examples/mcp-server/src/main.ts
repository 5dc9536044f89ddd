import { parseArgs } from 'node:util';
import type { ClientOptions } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';

const flags = (): { readonly 'allow-writes': boolean } => {
  try {
    return parseArgs({ options: { 'allow-writes': { type: 'boolean', default: false } } }).values;
  } catch (error) {
    console.error(
      `${(error as Error).message}\nThe only flag is --allow-writes, which adds the tools that change something.`,
    );
    process.exit(2);
  }
};

const allowWrites = flags()['allow-writes'];

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

serveStdio(() => createServer(confab, { allowWrites }));
