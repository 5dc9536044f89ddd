/**
 * Builds and runs a Next.js program whose pages read the API with the key, the cookies and the headers of the visitor.
 * Next.js throws errors in these functions for its own control flow. Prints the table of docs/compatibility.md; exits with 1
 * if a cell fails.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { printTable } from '../../../scripts/bench/tables.ts';
import { createProject } from '../project.ts';

const FOLDER = import.meta.dirname;

const mock = createMock({ clock: 'system' });
const server = await serve(mock);

/** Two visitors, each with a key and a lead of their own. */
const visitors = ['ada', 'bob'].map((name) => {
  mock.leads.create({ displayName: name });
  return { name, ...mock.keys.create() };
});

/** Starts a command of Next.js, without its telemetry. */
const next = (project: string, cacheComponents: boolean, ...args: readonly string[]) =>
  spawn(process.execPath, ['node_modules/next/dist/bin/next', ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
      CACHE_COMPONENTS: String(cacheComponents),
      CONFAB_BASE_URL: server.url,
      CONFAB_API_KEY: mock.apiKey,
    },
  });

const build = async (...settings: readonly [project: string, cacheComponents: boolean]): Promise<void> => {
  const child = next(...settings, 'build');
  const [output] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'exit'),
  ]);
  assert.equal(child.exitCode, 0, stripVTControlCharacters(output.join('')));
};

/** Requests the pages of the built program, and checks them. */
const visit = async (origin: string): Promise<void> => {
  const read = async (path: string, cookie = ''): Promise<string> =>
    (await fetch(origin + path, { headers: { cookie }, redirect: 'manual' })).text();

  for (const name of ['Mo', 'Li']) {
    const agent = mock.agents.create({ name });
    assert.match(await read('/'), new RegExp(name), 'a page is rendered for each request');
    mock.agents.delete(agent.id);
  }
  mock.requests.clear();
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const { name, key } = visitors[index % visitors.length]!;
      assert.match(await read('/visitor', `key=${key}; name=${name}`), new RegExp(`leads: ${name}`));
    }),
  );
  for (const { query, keyId } of mock.requests.of('leads.list')) {
    const visitor = visitors.find(({ name }) => name === query.search);
    assert.equal(keyId, visitor?.id, 'each visitor’s request has their own key');
  }
  assert.match(await read('/visitor'), /\/login/, 'a visitor without a key is redirected');
  assert.match(await read('/import'), /imported: 1/);
};

const start = async (...settings: readonly [project: string, cacheComponents: boolean]): Promise<void> => {
  const child = next(...settings, 'start', '--hostname', '127.0.0.1', '--port', '0');
  try {
    for await (const line of createInterface(child.stdout)) {
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (origin) {
        return await visit(origin);
      }
    }
    assert.fail(await text(child.stderr));
  } finally {
    child.kill();
  }
};

const SETTINGS = [
  { next: '16', react: '19', cacheComponents: true },
  { next: '16', react: '19', cacheComponents: false },
  { next: '14', react: '18', cacheComponents: false },
];

const rows: string[][] = [];
for (const { next: version, react, cacheComponents } of SETTINGS) {
  const project = createProject(
    `next-${version}`,
    { next: `^${version}.0.0`, react: `^${react}.0.0`, 'react-dom': `^${react}.0.0` },
    Object.fromEntries(
      globSync(['next.config.js', 'app/**/*.{js,jsx}'], { cwd: FOLDER }).map((path) => [
        path,
        new URL(path, import.meta.url),
      ]),
    ),
  );
  const cells: string[] = [];
  for (const step of [build, start]) {
    try {
      await step(project, cacheComponents);
      cells.push('ok');
    } catch (error) {
      console.error(version, error);
      process.exitCode = 1;
      cells.push('FAILED');
      break;
    }
  }
  rows.push([version, cacheComponents ? 'on' : 'off', ...cells]);
}
printTable(['Next.js', '`cacheComponents`', '`next build`', 'pages of several visitors'], rows);
await server.close();
