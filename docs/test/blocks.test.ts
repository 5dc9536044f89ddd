import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, test } from 'vitest';
import { mockTasks } from '../../test/compat/consumers/files/cypress-tasks.ts';
import { list, ROOT, read } from '../.vitepress/content/repository.ts';
import { blocks, blocksOf, findBlocks, placeOf, promisedOutput } from './support/blocks.ts';
import { IDLE, isIdle } from './support/idle.ts';
import { commandsProvenBy, isProven, shellCommands } from './support/shell.ts';

test('every code block and every command of the documents runs, or support/idle.ts says why not', () => {
  expect(blocksOf('stage').length).toBeGreaterThan(50);
  expect(blocksOf('nowhere').filter(([, { code }]) => !isIdle(code))).toEqual([]);
  expect(shellCommands.length).toBeGreaterThan(60);
  expect(shellCommands.filter((command) => !isProven(command) && !isIdle(command.text))).toEqual([]);
});

test.for(IDLE)('the entry of support/idle.ts occurs in a document and does not run: %s', ([start]) => {
  const lines = [
    ...blocksOf('nowhere').flatMap(([, { code }]) => code.split('\n')),
    ...shellCommands.filter((command) => !isProven(command)).map(({ text }) => text),
  ];
  expect(lines.some((line) => line.startsWith(start))).toBe(true);
});

test('every code block that promises output runs in a process, where the output is compared', () => {
  const promising = blocks.filter((block) => promisedOutput(block).length > 0);
  expect(promising.length).toBeGreaterThan(10);
  expect(promising.filter((block) => placeOf(block) !== 'process')).toEqual([]);
});

test.each(['js', 'typescript', 'tsx', 'ts only'])(
  'a code block that begins with ```%s does not run',
  (info) => {
    const [block] = findBlocks('guide.md', `\`\`\`${info}\nwork();\n\`\`\`\n`);
    expect(block).toMatchObject({ line: 2, code: 'work();\n' });
    expect(placeOf(block!)).toBe('nowhere');
  },
);

/** Removes the indentation, which depends on where an excerpt begins. */
const linesOf = (code: string): string => code.replaceAll(/^ +/gm, '').trim();

test('a code block for another test runner is an excerpt of a file that this runner runs', () => {
  expect(blocksOf('excerpt').length).toBeGreaterThan(3);
  for (const [, { source = '', code }] of blocksOf('excerpt')) {
    expect([source, linesOf(read(source))]).toEqual([source, expect.stringContaining(linesOf(code))]);
  }
});

test('the tasks for Cypress control a mock server', async () => {
  const mock = createMock();
  await using server = await serve(mock);
  const tasks = await mockTasks(server.url);
  const confab = createClient({ ...mock.clientOptions, retry: false });

  const lead = await tasks.createLead({ displayName: 'Ada' });
  expect(mock.leads.get(lead.id)?.displayName).toBe('Ada');
  await tasks.failOnce({ operation: 'leads.create', status: 503 });
  const body = { phone: '+5511987654321' };
  await expect(confab.leads.create(body)).rejects.toThrow();
  await confab.leads.create(body);
  expect(await tasks.countRequests({ operation: 'leads.create', body })).toBe(2);
  expect(await tasks.reset()).toBeNull();
  expect(mock.leads.count()).toBe(0);
});

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly peerDependencies?: object;
}

const manifest = (path: string) => JSON.parse(read(path)) as Manifest;

const manifests = list('package.json', '{packages,examples}/*/package.json', 'docs/package.json').map(
  manifest,
);

test('commands of the documents install only our packages, their dependencies and test tools', () => {
  const known = manifests.flatMap(({ name, dependencies, devDependencies, peerDependencies }) => [
    name,
    ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  ]);
  for (const { document, text } of commandsProvenBy('installs')) {
    const names = text.split(' ').filter((word, index) => index > 1 && !word.startsWith('-'));
    expect(names.length, text).toBeGreaterThan(0);
    expect(known, `${document}: ${text}`).toEqual(expect.arrayContaining(names));
  }
});

test.for(commandsProvenBy('names a script'))(
  '$document: the script in "$text" exists',
  ({ document, text }) => {
    const [, name = 'confab-monorepo', folder, script = ''] =
      /^npx --yes pnpm@12 (?:--silent )?(?:--filter (\S+) |--dir (\S+) )?(\S+)/.exec(text) ?? [];
    if (script === 'exec') {
      const example = document.replace('/README.md', '');
      expect(existsSync(`${ROOT}${example}/test`)).toBe(true);
      expect(text).toMatch(new RegExp(`vitest run --project ${basename(example)}$`));
      return;
    }
    const { scripts } =
      folder === undefined
        ? (manifests.find((each) => each.name === name) ?? {})
        : manifest(`${folder}/package.json`);
    expect([...Object.keys(scripts ?? {}), 'install']).toContain(script);
  },
);
