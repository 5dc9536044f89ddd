import { expect, test } from 'vitest';
import type { CodeBlock } from './support/code-blocks.ts';
import { findExamples, promisedOutput } from './support/code-blocks.ts';
import { compile, runBlock, writeBlocks } from './support/compile.ts';
import { blocks } from './support/documents.ts';
import { declareExports } from './support/exports.ts';
import { placeOf } from './support/places.ts';
import { list, read } from './support/repository.ts';

/** `tsc` reads the whole workspace once; a busy machine may take long. */
const SLOW = { timeout: 120_000 };

// A page imports these two in its first block; anything else is imported where it is used.
const folder = await writeBlocks('documents', blocks, await declareExports(['createClient', 'createMock']));
const examples = list('packages/{client,webhooks,mock}/src/**/*.ts').flatMap((path) =>
  findExamples(path, read(path)),
);

const block = (code: string): CodeBlock => ({ document: 'guide.md', line: 7, code, runs: true });

test('every code block compiles', SLOW, async () => {
  expect(blocks.length).toBeGreaterThan(0);
  expect(compile(folder)).toEqual([]);
});

test('every example in a docstring compiles', SLOW, async () => {
  expect(examples.length).toBeGreaterThan(0);
  expect(compile(await writeBlocks('examples', examples, await declareExports()))).toEqual([]);
});

test.concurrent.for(
  blocks
    .filter((block) => placeOf(block) === 'process')
    .map((block) => [`${block.document}:${block.line}`, block] as const),
)('the code block at %s runs and prints what it says', SLOW, async ([, block]) => {
  expect(await runBlock(folder, block)).toEqual(promisedOutput(block));
});

test('an error in a code block names its line in the document', SLOW, async () => {
  const broken = await writeBlocks('broken', [block('const phone: string = 1;\n')]);
  const [error, ...more] = compile(broken);
  expect(error).toMatch(/^guide\.md-L7\.ts\(7,7\): error TS2322/);
  expect(more).toEqual([]);
});

test('a code block that prints something unexpected, or fails, is reported', SLOW, async () => {
  const wrong = block('console.log(1 + 1); //=> 3\n');
  const failing = { ...block("throw new Error('no');\n"), line: 8 };
  const folder = await writeBlocks('wrong', [wrong, failing]);
  expect(await runBlock(folder, wrong)).not.toEqual(promisedOutput(wrong));
  await expect(runBlock(folder, failing)).rejects.toThrow('Error: no');
});
