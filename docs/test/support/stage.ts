import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { setupServer } from 'msw/node';
import { onTestFinished, vi } from 'vitest';
import type { Block } from './blocks.ts';
import { fileNameOf, moduleOf } from './blocks.ts';
import type { Prelude } from './prelude.ts';
import { BASE_URL, createPrelude } from './prelude.ts';
import { connect, deliverTo, routeTo, watchServers } from './stage-servers.ts';

/** Gives values to the names of the prelude and to the environment variables of the reader. */
export const setStage = async (): Promise<Prelude> => {
  const prelude = await createPrelude();
  for (const [name, value] of Object.entries({ createClient, createMock, ...prelude })) {
    vi.stubGlobal(name, value);
  }
  vi.stubEnv('CONFAB_API_KEY', prelude.mock.apiKey);
  vi.stubEnv('CONFAB_BASE_URL', BASE_URL);
  vi.stubEnv('CONFAB_WEBHOOK_SECRET', prelude.secret);
  return prelude;
};

/** What a block did. */
interface BlockRun {
  /** The warnings and errors that it printed. */
  readonly complaints: readonly string[];
  /** The statuses of its receivers for a delivery. */
  readonly statuses: readonly number[];
  /** Its exports. */
  readonly module: Record<string, unknown>;
  readonly prelude: Prelude;
}

let runs = 0;

/** Runs a block in this process. Servers that it starts end with the test. */
export const runOnStage = async (folder: string, block: Block): Promise<BlockRun> => {
  const complaints: string[] = [];
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation((...values) => void complaints.push(values.join(' ')));
  vi.spyOn(console, 'error').mockImplementation((...values) => void complaints.push(values.join(' ')));
  const before = process.listeners('SIGINT');
  const prelude = await setStage();
  if (block.code.includes('setupServer')) {
    // msw does not intercept a `fetch` that has been replaced.
    vi.stubGlobal('setupServer', (...handlers: Parameters<typeof setupServer>) => {
      const server = setupServer(...handlers);
      onTestFinished(() => server.close());
      return server;
    });
  } else {
    vi.stubGlobal('fetch', routeTo(prelude));
  }
  onTestFinished(() => {
    for (const listener of process.listeners('SIGINT').filter((each) => !before.includes(each))) {
      process.off('SIGINT', listener);
    }
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  runs += 1;
  const path = join(folder, `${runs}-${fileNameOf(block)}`);
  writeFileSync(path, moduleOf({ ...block, code: await connect(block.code, folder, prelude) }));
  const receivers = watchServers();
  const module = (await import(path)) as Record<string, unknown>;
  return { complaints, statuses: await deliverTo(receivers, module, prelude), module, prelude };
};
