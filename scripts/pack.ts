import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PACKAGES = ['client', 'webhooks', 'mock'] as const;

/** The maps of bundled libraries are larger than what Node reads by default. */
const MAX_OUTPUT = 16 * 1024 * 1024;

/** Runs a command until it ends, and returns its output. */
export const run = (command: string, args: readonly string[], cwd = '.'): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: MAX_OUTPUT,
  });

/** Packs a package as it would be published, into a folder of its own. */
export const pack = (name: (typeof PACKAGES)[number]): string => {
  const target = mkdtempSync(join(tmpdir(), 'confab-pack-'));
  run('pnpm', ['pack', '--pack-destination', target], join(import.meta.dirname, '..', 'packages', name));
  const [file = ''] = readdirSync(target);
  return join(target, file);
};
