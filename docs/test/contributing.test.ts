import { existsSync } from 'node:fs';
import { operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import { expect, test } from 'vitest';
import { list, ROOT, read } from '../.vitepress/content/repository.ts';

const ids = Object.keys(operations);
const resources = [...new Set(ids.map((id) => id.split('.')[0] ?? ''))];
/** The names that the file of a resource may have: its plural or its singular. */
const fileNames = (resource: string): string[] => [resource, resource.replace(/s$/, '')];

const walk = /^## How to add an operation\n(.*?)^## /ms.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
const named = new Set([...walk.matchAll(/`([\w./<>-]+\/[\w.<>-]+\.\w+)`/g)].map(([, path = '']) => path));

const contents = new Map(
  list(
    '*.md',
    'docs/guides/*.md',
    'examples/*/{src,test}/**/*.ts',
    'packages/*/*.{md,json}',
    'packages/*/{scripts,src,test}/**/*.{ts,json}',
    'test/**/*.ts',
  ).map((path) => [path, read(path)]),
);

/** Finds the files that match a pattern, with `<resource>` in place of the resource in their names. */
const filesWith = (pattern: RegExp, resource: string): Set<string> =>
  new Set(
    [...contents]
      .filter(([, content]) => pattern.test(content))
      .map(([path]) =>
        fileNames(resource).reduce((name, file) => name.replace(`/${file}.ts`, '/<resource>.ts'), path),
      ),
  );

const sourcesWith = (pattern: RegExp, resource: string): Set<string> =>
  new Set([...filesWith(pattern, resource)].filter((path) => path.includes('/src/')));

test.for<[what: string, example: string, sets: Set<string>[]]>([
  [
    'file that knows all operations',
    'packages/mock/src/operations/<resource>.ts',
    ids.map((id) => {
      const [resource = '', method] = id.split('.');
      return filesWith(new RegExp(`\\b${resource}\\??[._]${method}\\b`), resource);
    }),
  ],
  [
    'source file that knows the bodies of all operations',
    'packages/client/src/index.ts',
    [
      ['conversations', 'MessageSend'],
      ['leads', 'LeadCreate'],
      ['leads', 'LeadUpdate'],
      ['agents', 'AgentInvoke'],
    ].map(([resource = '', type]) => sourcesWith(new RegExp(`\\b${type}(?:Schema)?\\b`), resource)),
  ],
  [
    'source file that knows all resources',
    'packages/client/src/client.ts',
    resources.map((resource) => sourcesWith(new RegExp(`/${resource}\\.ts'`), resource)),
  ],
])('every %s is named in "How to add an operation"', ([, example, sets]) => {
  const known = [...(sets[0] ?? [])].filter((path) => sets.every((set) => set.has(path)));
  expect(known).toContain(example);
  expect(known.filter((path) => !named.has(path))).toEqual([]);
});

test.for([...named])('%s, named in "How to add an operation", exists', (path) => {
  for (const resource of path.includes('<resource>') ? resources : ['']) {
    const candidates = fileNames(resource).map((name) => ROOT + path.replace('<resource>', name));
    expect(
      candidates.some((candidate) => existsSync(candidate)),
      resource,
    ).toBe(true);
  }
});

test.for(ids)('%s is called in the guide of its resource, and in the table of calls in the README', (id) => {
  const [resource = ''] = id.split('.');
  const guide = resource === 'analytics' ? 'funnel' : resource;
  expect(read(`docs/guides/${guide}.md`)).toContain(`confab.${id}(`);
  expect(read('packages/client/README.md')).toContain(`| \`confab.${id}(`);
});

test.for(Object.entries(createMock({ data: 'demo' }).dump()))(
  '%s are part of the demo data, and every list of collections names them',
  ([name, rows]) => {
    expect(rows.length).toBeGreaterThan(0);
    for (const path of ['packages/mock/README.md', 'docs/guides/testing.md']) {
      expect(read(path)).toContain(`\`mock.${name}\``);
    }
    expect(read('docs/guides/control-endpoints.md')).toContain(`\`${name}\``);
  },
);

test('every command in CONTRIBUTING.md is a script of the repository, or one of pnpm', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [
    ...read('CONTRIBUTING.md').matchAll(/`(?:npx --yes pnpm@12|pnpm) (?:run )?([a-z][\w:]*)/g),
  ];
  expect(commands.length).toBeGreaterThan(5);
  for (const [, name = ''] of commands) {
    expect([...Object.keys(scripts), 'changeset', 'exec']).toContain(name);
  }
});

test.for(['demo', 'test'])('the README shows `npx --yes pnpm@12 %s`, which CI runs', (script) => {
  const command = `npx --yes pnpm@12 ${script}`;
  const [, block = ''] = /^```sh\n(npx .*?)^```/ms.exec(read('README.md')) ?? [];
  expect(block.split('\n').map((line) => line.replace(/ +#.*/, ''))).toContain(command);
  expect(read('.ci/run').split('\n')).toContain(`  ${command}`);
});

test('docs/decisions/README.md lists each decision by its title', () => {
  const listed = read('docs/decisions/README.md').match(/^- .*$/gm);
  const decisions = list('docs/decisions/[0-9]*.md').map((path) => {
    const [, title] = /^# (.*)\n/.exec(read(path)) ?? [];
    return `- [${title}](${path.slice('docs/decisions/'.length)})`;
  });
  expect(listed).toEqual(decisions);
});

test('only slow test files replace modules, because the fast ones share them', () => {
  const fast = list('{packages,examples}/*/test/**/*.test.ts', '{docs,test}/**/*.test.ts').filter(
    (path) => !path.endsWith('.slow.test.ts'),
  );
  expect(fast.length).toBeGreaterThan(100);
  expect(fast.filter((path) => /\bvi\.(?:mock|doMock)\(/.test(read(path)))).toEqual([]);
});
