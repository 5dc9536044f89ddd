import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { folder, run, startQuietCommand } from '../support/command.ts';

test('a named pipe is refused at once, wherever a file is meant', async () => {
  const pipe = join(folder(), 'rows.json');
  execFileSync('mkfifo', [pipe]);
  for (const args of [
    ['--data', pipe],
    ['--state', pipe],
    ['--tls-cert', pipe, '--tls-key', pipe],
    ['init', pipe, '--force'],
  ]) {
    const { code, errors } = await run(...args).ended;
    expect([args, code]).toEqual([args, 2]);
    expect(errors).toMatch(/^confab-mock: .*must be a regular file\n$/);
  }
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the command while it loads a large file, and the next one takes over its lock',
  async (signal) => {
    const path = folder();
    const [data, state] = [join(path, 'rows.json'), join(path, 'state.json')];
    const leads = Array.from({ length: 60_000 }, (_, index) => ({ displayName: `Lead ${index}` }));
    writeFileSync(data, JSON.stringify({ leads }));
    const { child, ended, output } = run('--port', '0', '--data', data, '--state', state);
    // It is created right before the rows are loaded.
    await eventually(() => expect(existsSync(`${state}.lock`)).toBe(true), { withinMs: 20_000 });
    child.kill(signal);
    await ended;
    expect([child.signalCode, output(), existsSync(state)]).toEqual([signal, '', false]);
    const next = await startQuietCommand('--state', state, '--data', 'minimal');
    expect(await next.stop()).toMatchObject({ code: 0, errors: '' });
    expect(existsSync(`${state}.lock`)).toBe(false);
  },
  40_000,
);
