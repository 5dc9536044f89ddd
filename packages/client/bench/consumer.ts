import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../scripts/pack.ts';

const PEERS = ['ky', 'openai', 'stripe'];

/** Makes a project that has the packed client installed, and its peers. */
export const createConsumer = (): string => {
  const project = mkdtempSync(join(tmpdir(), 'confab-bench-'));
  const client = join(project, 'node_modules/@confab/client');
  mkdirSync(client, { recursive: true });
  run('pnpm', ['pack', '--pack-destination', project], join(import.meta.dirname, '..'));
  run('tar', ['xzf', join(project, 'confab-client-0.0.0.tgz'), '-C', client, '--strip-components=1']);
  for (const name of PEERS) {
    symlinkSync(join(import.meta.dirname, 'node_modules', name), join(project, 'node_modules', name));
  }
  symlinkSync(join(import.meta.dirname, '../node_modules/zod'), join(project, 'node_modules/zod'));
  return project;
};
