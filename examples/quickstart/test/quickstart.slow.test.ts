import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

const start = (args: string[] = [], env: Record<string, string> = {}) => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return spawn(process.execPath, ['--conditions=@confab/source', main, ...args], { env });
};

const run = async (args?: string[], env?: Record<string, string>) => {
  const child = start(args, env);
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, errors, status };
};

test('the quickstart prints each step and exits by itself', {
  timeout: 30_000,
}, async () => {
  const { output, errors, status } = await run();
  expect(errors).toBe('');
  expect(status).toBe(0);
  expect(output.match(/^ *\d+\. /gm)).toHaveLength(10);
  expect(output).toContain('ConflictError: leads.create failed with 409');
  expect(output).toContain('Received, signature verified: message.created');
  expect(output).toContain('PermissionError, missingScope write:leads');
  expect(output).toMatch(/429: 5 requests are allowed; waiting [12]000 ms/);
  expect(output).toContain('Every step succeeded.');
  expect(output).toBe(stripVTControlCharacters(output));

  const [, next = ''] = output.split('\nNext:\n');
  const files = [...next.matchAll(/^ {2}((?:docs|examples)\/\S*)/gm)].map(([, path = '']) => path);
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('a terminal gets colors', async () => {
  const { output, status } = await run([], { FORCE_COLOR: '1' });
  expect(status).toBe(0);
  expect(output).toContain('\u001b[1mCreate a lead:\u001b[22m \u001b[36mawait confab.leads.create(');
});

test('an unknown flag is refused with a sentence', async () => {
  const { output, errors, status } = await run(['--inspct']);
  expect({ output, status }).toEqual({ output: '', status: 2 });
  expect(errors).toContain("Unknown option '--inspct'");
  expect(errors).toContain('The only flag is --inspect.');
});

test('with --inspect, the mock keeps running with its inspector until Ctrl+C', async () => {
  const child = start(['--inspect']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('Press Ctrl+C')) {
      break;
    }
  }
  const [url = ''] = /http:\S+\/__mock\/$/m.exec(output) ?? [];
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<!doctype html>');
  const requests = await (await fetch(new URL('requests', url))).text();
  expect(requests).toContain('conversations.sendMessage');

  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();
});
