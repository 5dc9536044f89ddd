import { expect, test } from 'vitest';
import { IDLE_BLOCKS } from './support/blocks-that-do-not-run.ts';
import { findCodeBlocks, promisedOutput } from './support/code-blocks.ts';
import { blocks, documents } from './support/documents.ts';
import { placeOf } from './support/places.ts';
import { read } from './support/repository.ts';

interface Fence {
  readonly document: string;
  /** Line of the document that its code begins on. */
  readonly line: number;
  readonly code: string;
}

/** Every block in TypeScript or JavaScript, but not excerpts: test-runners-guide.test.ts compares them with their files. */
const findFences = (document: string, markdown: string): Fence[] =>
  [
    ...markdown.matchAll(
      /(^<!-- from \S+ -->\n)?^( *)```(?:[cm]?[jt]sx?|typescript|javascript)\b[^\n]*\n(.*?)^\2```$/gms,
    ),
  ]
    .filter(([, excerpt]) => excerpt === undefined)
    .map(({ index, 3: code = '' }) => ({
      document,
      line: markdown.slice(0, index).split('\n').length + 1,
      code,
    }));

const fences = documents.flatMap((document) => findFences(document, read(document)));

const runs = (fence: Fence, running = blocks): boolean =>
  running.some(({ document, line }) => document === fence.document && line === fence.line);

const isListed = ({ document, code }: Fence): boolean =>
  IDLE_BLOCKS.some((idle) => idle.document === document && code.split('\n').includes(idle.line));

test('every block runs, or says in the list why it does not', () => {
  expect(blocks.length).toBeGreaterThan(90);
  expect(fences.filter((fence) => !runs(fence) && !isListed(fence))).toEqual([]);
});

test('every block in the list exists, and does not run', () => {
  const idle = fences.filter((fence) => !runs(fence));
  for (const { document, line } of IDLE_BLOCKS) {
    const listed = idle.filter(
      (fence) => fence.document === document && fence.code.split('\n').includes(line),
    );
    expect(listed, `${document}: ${line}`).toHaveLength(1);
  }
});

test('a block that says what it prints runs where its output is compared', () => {
  const promising = blocks.filter((block) => promisedOutput(block).length > 0);
  expect(promising.length).toBeGreaterThan(10);
  expect(promising.filter((block) => placeOf(block) !== 'process')).toEqual([]);
});

test.each(['js', 'typescript', 'tsx', 'ts only'])('a block that begins with ```%s does not run', (info) => {
  const markdown = `\`\`\`${info}\nwork();\n\`\`\`\n`;
  const [fence] = findFences('guide.md', markdown);
  expect(fence).toEqual({ document: 'guide.md', line: 2, code: 'work();\n' });
  expect(runs(fence!, findCodeBlocks('guide.md', markdown))).toBe(false);
});
