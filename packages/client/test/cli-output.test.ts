import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowPrinter, jsonLine } from '../src/cli/output/print-rows.ts';
import { recordLines } from '../src/cli/output/record.ts';
import { headOf, layOut, rowOf } from '../src/cli/output/table.ts';
import { cut, widthOf } from '../src/cli/output/width.ts';
import { shapes } from '../src/cli/shapes/shapes.ts';
import { conversation, funnel, lead, message } from './support/data.ts';

const leadShape = shapes['leads.get'].response.properties!.data!;
const plain = { isTerminal: true, columns: 80, write: async () => {}, bold: (text: string) => text };

/** What makes a terminal do something else than show text. */
const COMMANDS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

test('a text is as wide as a terminal shows it', () => {
  expect(['Ana', 'Zoë', 'Zoe\u0308', '東京', 'ｱｲ', '한국', '👩‍👩‍👧', '👍🏽', '❤️', '„“'].map(widthOf)).toEqual(
    [3, 3, 3, 4, 2, 4, 2, 2, 2, 2],
  );
  expect(cut('東京都', 5)).toBe('東京…');
  expect(cut('東京都', 4)).toBe('東…');
  expect(cut('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  expect(cut('abc', 3)).toBe('abc');
});

test('a table fits its terminal: the id stays whole, ids of other rows go first', () => {
  const wide = layOut([lead], leadShape, 200);
  expect(wide.hidden).toEqual([]);
  expect(wide.columns.map(({ name }) => name).at(-1)).toBe('pipelineId');
  const narrow = layOut([lead], leadShape, 80);
  expect(narrow.hidden).toContain('pipelineId');
  expect(headOf(narrow).length).toBeLessThanOrEqual(80);
  expect(rowOf(lead, narrow)).toContain(lead.id);
  expect(layOut([lead], leadShape, 10).columns).toEqual([{ name: 'id', width: 36 }]);
});

test('rows of strangers neither break the table nor command the terminal', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '\u001b[2J',
      'a\nb',
      '\u202eevil',
      '\u0000',
      'x'.repeat(5_000),
      '\u{e0001}',
      '\ud800',
      null,
      5,
      [{}],
    ),
  );
  const row = fc.record(Object.fromEntries(Object.keys(lead).map((name) => [name, value])));
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 40, max: 200 }),
      (rows, columns) => {
        const plainRows: Record<string, unknown>[] = JSON.parse(JSON.stringify(rows));
        const layout = layOut(plainRows, leadShape, columns);
        for (const line of [headOf(layout), ...plainRows.map((each) => rowOf(each, layout))]) {
          expect(line).not.toMatch(COMMANDS);
          if (layout.columns.length > 1) {
            expect(widthOf(line)).toBeLessThanOrEqual(columns);
          }
        }
        for (const each of plainRows) {
          const line = jsonLine(each);
          expect(line).not.toMatch(COMMANDS);
          expect(JSON.parse(line)).toEqual(each);
          for (const text of recordLines(each, leadShape, plain)) {
            expect(text).not.toMatch(COMMANDS);
          }
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('later rows fill the columns of the first ones', async () => {
  let out = '';
  const write = async (text: string) => {
    out += text;
  };
  const printer = createRowPrinter(leadShape, false, { ...plain, columns: 200, write });
  await printer.print([lead]);
  await printer.print([{ ...lead, displayName: 'A much longer name than the first' }]);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^id {36}phone/);
  expect(new Set(lines.map((line) => line.indexOf('  ', 36))).size).toBe(1);
});

test('one value is a line per field, with nested fields by their path and lists as tables', () => {
  const shape = shapes['analytics.funnel'].response.properties!.data!;
  expect(recordLines(funnel, shape, plain)).toEqual([
    'newLeads        10',
    'activeLeads     5',
    'qualified       3',
    'converted       1',
    'conversionRate  0.1',
    'range.from      2026-01-01T00:00:00Z',
    'range.to        2026-01-31T00:00:00Z',
  ]);
  const detail = shapes['conversations.get'].response.properties!.data!;
  const lines = recordLines({ ...conversation, messages: [message] }, detail, { ...plain, columns: 200 });
  expect(lines.slice(-4)).toEqual([
    '',
    'messages (1)',
    expect.stringMatching(/^id .* conversationId$/),
    expect.stringContaining('Hello'),
  ]);
  const reply = shapes['agents.invoke'].response.properties!.data!;
  expect(recordLines({ text: 'One\nTwo\u001b[0m', tokensIn: 1 }, reply, plain).slice(0, 3)).toEqual([
    'text       One',
    '           Two\\u001b[0m',
    'tokensIn   1',
  ]);
});
