import { runProcess } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { list, ROOT, read } from '../.vitepress/content/repository.ts';
import type { Block } from './support/blocks.ts';
import {
  blocks,
  blocksOf,
  environment,
  fileNameOf,
  findExamples,
  placeOf,
  promisedOutput,
  writeBlocks,
} from './support/blocks.ts';
import { compile } from './support/compile.ts';

/** The compiler reads the whole workspace once, which takes long on a busy machine. */
const SLOW = { timeout: 120_000 };

const wrong = (line: number, code: string): Block => ({ document: 'wrong.md', line, code, info: 'ts run' });

test(
  'every code block and every example in a docstring compiles; an error names its line',
  SLOW,
  async () => {
    const compiled = blocks.filter((block) => !['excerpt', 'nowhere'].includes(placeOf(block)));
    const examples = list('packages/{client,webhooks,mock}/src/**/*.ts').flatMap((path) =>
      findExamples(path, read(path)),
    );
    expect(compiled.length).toBeGreaterThan(90);
    expect(examples.length).toBeGreaterThan(50);
    expect(await compile([...compiled, ...examples, wrong(7, 'const phone: string = 1;\n')])).toEqual([
      expect.stringMatching(/^wrong\.md-L7\.ts\(7,7\): error TS2322/),
    ]);
  },
);

const UNEXPECTED = wrong(1, 'console.log(1 + 1); //=> 3\n');
const FAILING = wrong(2, "throw new Error('no');\n");

const running = blocksOf('process');
const folder = writeBlocks('processes', [...running.map(([, block]) => block), UNEXPECTED, FAILING]);

/** Runs a block as a program of its own. */
const runBlock = (block: Block) =>
  runProcess(process.execPath, ['--conditions=@confab/source', fileNameOf(block)], {
    cwd: folder,
    env: environment,
  });

test.concurrent.for(running)(
  'the code block at %s prints what its comments promise',
  SLOW,
  async ([, block]) => {
    expect(await runBlock(block)).toEqual({ code: 0, lines: promisedOutput(block), errors: '' });
  },
);

test('the test of code blocks notices unexpected output and a failing program', SLOW, async () => {
  expect((await runBlock(UNEXPECTED)).lines).not.toEqual(promisedOutput(UNEXPECTED));
  expect(await runBlock(FAILING)).toMatchObject({ code: 1, errors: expect.stringContaining('Error: no') });
});

test('the tests for node:test, which the guide quotes, pass', async () => {
  const files = ['node.ts', 'node-timers.ts'].map((name) => `${ROOT}test/compat/consumers/files/${name}`);
  const args = ['--conditions=@confab/source', '--test', ...files];
  const { code, lines } = await runProcess(process.execPath, args);
  expect([code, lines.filter((line) => /^. (?:pass|fail) /.test(line))]).toEqual([
    0,
    [expect.stringContaining('pass 3'), expect.stringContaining('fail 0')],
  ]);
});
