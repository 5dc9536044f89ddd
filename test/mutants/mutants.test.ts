import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedLines, parseDiff } from '../../scripts/mutants/changed-lines.ts';
import { forgetSurvivors } from '../../scripts/mutants/forget-survivors.ts';
import { describeSurvivors, percentOf, sumOf, toReport } from '../../scripts/mutants/read-report.ts';
import { toTables } from '../../scripts/mutants/write-page.ts';
import { CLASSES, strykerPlugins } from '../../stryker.ignorer.ts';
import { list, read } from './support/repository.ts';

const page = read('docs/proof/mutants.md');

const mutant = (status: string, statusReason?: string) => ({ status, statusReason });

const report = toReport({
  'src/b/two.ts': { mutants: [mutant('Killed'), mutant('Ignored', 'no one can see it')] },
  'src/a/one.ts': {
    mutants: [
      mutant('Killed'),
      mutant('Timeout'),
      mutant('Survived'),
      mutant('NoCoverage'),
      mutant('RuntimeError'),
    ],
  },
});

test('the changed lines of a diff are those that it adds or rewrites', () => {
  const diff = [
    'diff --git a/src/one.ts b/src/one.ts',
    '--- a/src/one.ts',
    '+++ b/src/one.ts',
    '@@ -3 +3,2 @@ const a = 1;',
    '-one',
    '+one and more',
    '+++ b/not-a-file',
    '@@ -20 +22 @@',
    '-two',
    '+Two',
    '@@ -30,2 +31,0 @@ function removed() {',
    '--- a/neither',
    '-}',
    '--- a/src/two.ts',
    '+++ b/src/two.ts',
    '@@ -0,0 +1,7 @@',
  ].join('\n');
  expect(parseDiff(diff)).toEqual([
    { path: 'src/one.ts', from: 3, to: 4 },
    { path: 'src/one.ts', from: 22, to: 22 },
    { path: 'src/two.ts', from: 1, to: 7 },
  ]);
});

test('changed lines are found whatever the settings of git are, and so are new files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder });
  try {
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'old.ts'), 'one\ntwo\n');
    git('add', '.');
    git('commit', '--quiet', '--message=first');
    expect(changedLines(undefined, folder)).toBeUndefined();
    git('config', 'diff.noprefix', 'true');
    writeFileSync(join(folder, 'old.ts'), 'one\nTwo\n');
    writeFileSync(join(folder, 'new.ts'), 'three');
    expect(changedLines('HEAD', folder)).toEqual([
      { path: 'old.ts', from: 2, to: 2 },
      { path: 'new.ts', from: 1, to: 1 },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a mutant counts as noticed when a test fails or never ends, and as a survivor when no test runs it', () => {
  expect(report.scores).toEqual([
    { folder: 'src/a', killed: 2, survived: 2, ignored: 0 },
    { folder: 'src/b', killed: 1, survived: 0, ignored: 1 },
  ]);
  expect(report.scores.map(percentOf)).toEqual([50, 100]);
  expect(percentOf(sumOf(report.scores))).toBe(60);
  expect(percentOf(sumOf([]))).toBeUndefined();
});

test('each survivor is described in a line', () => {
  const mutants = [
    {
      status: 'Survived',
      mutatorName: 'BlockStatement',
      replacement: '{\n}',
      location: { start: { line: 7 } },
    },
    { status: 'NoCoverage', mutatorName: 'Regex', replacement: '/a/', location: { start: { line: 8 } } },
    { status: 'Killed' },
  ];
  expect(describeSurvivors(toReport({ 'a.ts': { mutants } }))).toEqual([
    'a.ts:7 BlockStatement: { }',
    'a.ts:8 no test runs it: /a/',
  ]);
});

test('the tables have a row for each folder, the sum, and each reason once', () => {
  expect(toTables('mock', report).map(({ rows }) => rows)).toEqual([
    [
      ['`src/a`', '4', '2', '2', '0', '50.0 %'],
      ['`src/b`', '1', '1', '0', '1', '100.0 %'],
      ['all', '5', '3', '2', '1', '60.0 %'],
    ],
    [['`src/b/two.ts`', 'no one can see it', '1']],
  ]);
});

const [names, prose] = CLASSES;
const [{ value: ignorer }] = strykerPlugins as [(typeof strykerPlugins)[0]];
const text = (value: string) => ({ type: 'StringLiteral', value });
const template = (raw: string, expression: string) => ({
  type: 'TemplateLiteral',
  quasis: [{ value: { raw } }, { value: { raw: '' } }],
  expressions: [{ type: expression }],
});

test.for([
  ['a message', text('The body was too large.'), prose],
  ['a message with a value', template('The body has bytes, namely ', 'Identifier'), prose],
  [
    'a message that depends on a condition',
    template('The body was sent ', 'ConditionalExpression'),
    undefined,
  ],
  ['a type of content', text('application/json; charset=utf-8'), undefined],
  ['a list of values', text('no-cache, no-store'), undefined],
  ['a code', text('BODY_TOO_LARGE'), undefined],
  ['a list of names', { type: 'CallExpression', callee: { type: 'Identifier', name: 'namesOf' } }, names],
  ['a call', { type: 'CallExpression', callee: { type: 'Identifier', name: 'sign' } }, undefined],
] as const)('of what is mutated, %s is left out or kept', ([, node, reason]) => {
  expect(ignorer.shouldIgnore({ node })).toBe(reason);
});

test('the next run starts without the survivors in its files, and keeps those in others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const file = join(folder, 'results.json');
  forgetSurvivors(file, ['src/a/*.ts']);
  const mutants = ['Killed', 'Survived', 'NoCoverage', 'Timeout', 'Ignored'].map((status) => ({ status }));
  writeFileSync(
    file,
    JSON.stringify({ files: { 'src/a/one.ts': { mutants }, 'src/b/two.ts': { mutants } } }),
  );
  forgetSurvivors(file, ['src/a/*.ts']);
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>;
  };
  rmSync(folder, { recursive: true });
  expect(files['src/a/one.ts']?.mutants.map(({ status }) => status)).toEqual([
    'Killed',
    'Timeout',
    'Ignored',
  ]);
  expect(files['src/b/two.ts']?.mutants).toEqual(mutants);
});

/** Every comment that takes a mutant out of the count, with its reason. */
const disabled = list('packages/*/src/**/*.ts').flatMap((path) =>
  [...read(path).matchAll(/\/\/ Stryker (.*)/g)].map(([, comment = '']) => ({ path, comment })),
);

test('every mutant that does not count is named with a reason, and its line alone is left out', () => {
  for (const { path, comment } of disabled) {
    expect(comment, path).toMatch(/^disable next-line [A-Z]\w+(?:,[A-Z]\w+)*: .{20,}$/);
  }
});

test('the page lists the reason of every mutant that does not count', () => {
  for (const { path, comment } of disabled) {
    expect(page).toContain(`| \`${path}\` | ${comment.replace(/^.*?: /, '')} |`);
  }
});
