import { spawnSync } from 'node:child_process';
import { runProcess } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, onTestFinished, test } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';

const GUIDE = read('docs/guides/control-endpoints.md');

const testWithCurl = test.skipIf(spawnSync('curl', ['--version']).error !== undefined);

const startServer = async () => {
  const mock = createMock();
  const server = await serve(mock);
  onTestFinished(() => server.close());
  return { mock, server };
};

test('the guide to control endpoints lists every endpoint of a mock server, and no others', async () => {
  const { server } = await startServer();
  const response = await fetch(`${server.url}/__mock/`);
  const { data } = (await response.json()) as { data: { endpoints: { method: string; path: string }[] } };
  const endpoints = data.endpoints
    .map(({ method, path }) => `${method} ${path}`)
    .filter((endpoint) => !/\/rows\/(?!leads)/.test(endpoint));
  const listed = [...GUIDE.matchAll(/^\| (.*?) \|/gm)].flatMap(([, requests = '']) =>
    [...requests.matchAll(/`((?!HEAD)[A-Z]+ [^`?]+)/g)].map(([, endpoint]) => endpoint),
  );
  expect(endpoints.length).toBeGreaterThan(40);
  expect(listed.toSorted()).toEqual(endpoints.toSorted());
});

testWithCurl(
  'the curl session in the guide to control endpoints gets the responses that the guide shows',
  async () => {
    const { mock, server } = await startServer();
    const steps = [...GUIDE.matchAll(/^(curl .*)\n# (.*)$/gm)];
    expect(steps.length).toBe(5);
    for (const [, command = '', shown = ''] of steps) {
      const code = command.replace('http://127.0.0.1:4010', server.url).replace('test-key', mock.apiKey);
      const { lines } = await runProcess('bash', ['-c', `${code} --silent`]);
      const pattern = shown.replaceAll(/[.?*+^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
      expect(lines.join('')).toMatch(new RegExp(`^${pattern}$`));
    }
  },
);
