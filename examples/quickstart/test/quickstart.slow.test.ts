import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

const start = (...args: string[]) => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return spawn(process.execPath, ['--conditions=@confab/source', main, ...args], { env: {} });
};

test('the quickstart prints each step and exits by itself', async () => {
  const child = start();
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect([status, errors]).toEqual([0, '']);
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

test('with --inspect, the quickstart keeps the mock and its inspector running until Ctrl+C', async () => {
  const child = start('--inspect');
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
