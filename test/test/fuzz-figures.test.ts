import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkFigures, FILES, readFigures, withTable, writeFigures } from '../fuzz/figures.ts';

const PAGE = 'Before\n<!-- figures -->\nold\n<!-- end of figures -->\nAfter\n';
const RESULT = { inputs: 1_000, seconds: 2, corpus: [Buffer.from('a'), Buffer.from('b')] };

let folder = '';
let files = FILES;

const write = (json: string, page: string) => {
  writeFileSync(files.json, json);
  writeFileSync(files.page, page);
};

const written = () => [readFileSync(files.json, 'utf8'), readFileSync(files.page, 'utf8')];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'figures-'));
  files = { json: join(folder, 'figures.json'), page: join(folder, 'page.md') };
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('the page shows the figures of the last runs, and counts the findings in the repository', () => {
  const page = readFileSync(FILES.page, 'utf8');
  expect(page).toBe(withTable(page, readFigures()));
  checkFigures();
});

test('the figures of a target go into both files, and those of other targets stay', () => {
  write('{}', PAGE);
  writeFigures('mock-state', 'the second', RESULT, 3, files);
  writeFigures('mock-data', 'the first', RESULT, 4, files);
  expect(Object.keys(readFigures(files))).toEqual(['mock-data', 'mock-state']);
  const [, page] = written();
  expect(page).toMatch(/^Before\n<!-- figures -->\n\| Target /);
  expect(page).toMatch(
    /\| `mock-data` \| the first \| 1,000 \| 2 \| 500 \| 2 \(4\) \| 1 \|\n\| `mock-state` /,
  );
  expect(page).toMatch(/<!-- end of figures -->\nAfter\n$/);
});

test.for([
  ['{"mock-state":', PAGE, 'proof/fuzz/figures.json must be JSON with the figures of each target. '],
  ['null', PAGE, 'Restore it with git checkout proof/fuzz/figures.json.'],
  ['{"mock-state":{"checks":"x","inputs":1,"seconds":1,"corpus":1}}', PAGE, 'proof/fuzz/figures.json must '],
  ['{}', '# Fuzzing\n', 'docs/proof/fuzzing.md has lost its markers. Put the lines <!-- figures --> and '],
] as const)(
  'figures %s with the page %j are refused, and both files stay as they are',
  ([json, page, message]) => {
    write(json, page);
    const refusal = expect.objectContaining({
      name: 'UsageError',
      message: expect.stringContaining(message),
    });
    expect(() => checkFigures(files)).toThrow(refusal);
    expect(() => writeFigures('mock-data', 'x', RESULT, 1, files)).toThrow(refusal);
    expect(written()).toEqual([json, page]);
  },
);
