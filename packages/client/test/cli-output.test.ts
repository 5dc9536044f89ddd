import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversation, funnel, ids, KEY, lead, message } from './support/data.ts';
import { runConfab } from './support/run-confab.ts';
import { json, startServer } from './support/server.ts';

/** What makes a terminal do something else than show text. */
const COMMANDS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Serves a value, and returns a function that prints it. */
const serve = async () => {
  let data: unknown;
  const { url } = await startServer((...exchange) =>
    json(200, { success: true, data, meta: { total: 1, limit: 25, offset: 0 } })(...exchange),
  );
  return async (value: unknown, words: string, terminal?: number) => {
    data = value;
    const env = { CONFAB_BASE_URL: url, CONFAB_API_KEY: KEY };
    const { code, out, err } = await runConfab(words.split(' '), { env, ...(terminal && { terminal }) });
    expect(code).toBe(0);
    return { lines: out.split('\n').slice(0, -1), err };
  };
};

test('columns are as wide as a terminal shows them, with accents, East Asian letters and emoji', async () => {
  const print = await serve();
  const names = ['Ana', 'Zoe\u0308', '東京', 'ｱｲ', '한국', '👩‍👩‍👧', '👍🏽', '❤️', '„“'];
  const { lines } = await print(
    names.map((name) => ({ id: 'a', name, last: '|' })),
    'agents list',
    80,
  );
  expect(lines).toEqual([
    'id  name  last',
    'a   Ana   |',
    'a   Zoe\u0308   |',
    'a   東京  |',
    'a   ｱｲ    |',
    'a   한국  |',
    'a   👩‍👩‍👧    |',
    'a   👍🏽    |',
    'a   ❤️    |',
    'a   „“    |',
  ]);
});

test.each([
  ['東京都東京都東京都東京都東京都東京都東京都東京都', '東京都東京…'],
  ['a long name that does not fit', 'a long name…'],
  ['👩‍👩‍👧'.repeat(10), `${'👩‍👩‍👧'.repeat(5)}…`],
])('a table cuts a value that does not fit between two characters: %s', async (name, shown) => {
  const print = await serve();
  const { lines } = await print([{ id: ids.lead, name, last: 'x'.repeat(40) }], 'agents list', 64);
  expect(lines[1]).toContain(`  ${shown} `);
});

test('a table fits its terminal: the id stays whole, and ids of other rows are the first columns to be left out', async () => {
  const print = await serve();
  const wide = await print([lead], 'leads list', 200);
  expect(wide.lines[0]).toMatch(/^id {36}.* pipelineId$/);
  expect(wide.err).not.toContain('Not shown');
  const narrow = await print([lead], 'leads list', 80);
  expect(narrow.err).toMatch(/^Not shown: .*pipelineId\. Use a wider terminal, or --json\.$/m);
  expect(narrow.lines[0]?.length).toBeLessThanOrEqual(80);
  expect(narrow.lines[1]).toContain(lead.id);
  expect((await print([lead], 'leads list', 10)).lines).toEqual(['id', lead.id]);
});

test('untrusted text in the rows of a table neither breaks it nor controls the terminal', async () => {
  const print = await serve();
  const strange = ['\u001b[2J', 'a\nb', '\u202eevil', '\u0000', 'x'.repeat(5_000), '\u{e0001}', '\ud800'];
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom<unknown>(...strange, null, 5, [{}]),
  );
  const row = fc.record(Object.fromEntries([...Object.keys(lead), '\u001b[2J'].map((name) => [name, value])));
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 60, max: 200 }),
      async (rows, columns) => {
        const sent = JSON.parse(JSON.stringify(rows));
        const { lines: table, err } = await print(sent, 'agents list', columns);
        expect(table).toHaveLength(rows.length + 1);
        const { lines: record } = await print(sent[0], `leads get ${ids.lead}`, columns);
        const { lines: programs } = await print(sent, 'agents list');
        expect([...table, ...record, ...programs, err].join('\n')).not.toMatch(COMMANDS);
        expect(programs.map((line) => JSON.parse(line))).toEqual(sent);
      },
    ),
    { numRuns: 15 },
  );
});

test('a table cuts long names of columns that do not fit', async () => {
  const print = await serve();
  const { err } = await print([{ ...lead, ['x'.repeat(5_000)]: 1 }], 'leads list', 80);
  expect(err).toContain('xxx');
  expect(err.length).toBeLessThan(2_000);
});

test('20,000 columns and 150,000 rows are printed, and standard error names some of what does not fit', async () => {
  const print = await serve();
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, index]));
  const { lines, err } = await print([{ id: 'a', ...wide }], 'agents list', 80);
  expect(lines[0]?.length).toBeLessThanOrEqual(80);
  expect(err).toMatch(/^Not shown: field\d+, .* and 19,\d+ more\. Use a wider terminal, or --json\.$/m);
  expect((await print(wide, `leads get ${ids.lead}`, 80)).lines).toHaveLength(20_000);
  const rows = Array.from({ length: 150_000 }, () => ({ id: 'a' }));
  expect((await print(rows, 'agents list', 80)).lines).toHaveLength(150_001);
});

test.each([80, undefined])(
  'confab refuses to print data that is nested too deeply: columns %s',
  async (terminal) => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const { url } = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"success":true,"data":${deep}}`);
    });
    const env = { CONFAB_BASE_URL: url, CONFAB_API_KEY: KEY };
    const ended = await runConfab(['leads', 'get', ids.lead], { env, ...(terminal && { terminal }) });
    const err = 'confab: leads.get returned data that is nested too deeply to be printed.\n';
    expect(ended).toMatchObject({ code: 11, out: '', err });
  },
);

test('confab prints one value as a line per field, nested fields by their path, and lists as tables', async () => {
  const print = await serve();
  expect((await print(funnel, 'analytics funnel', 80)).lines).toEqual([
    'newLeads        10',
    'activeLeads     5',
    'qualified       3',
    'converted       1',
    'conversionRate  0.1',
    'range.from      2026-01-01T00:00:00Z',
    'range.to        2026-01-31T00:00:00Z',
  ]);
  const detail = { ...conversation, messages: [message] };
  const { lines } = await print(detail, `conversations get ${ids.conversation}`, 200);
  expect(lines.slice(-4)).toEqual([
    '',
    'messages (1)',
    expect.stringMatching(/^id .* conversationId$/),
    expect.stringContaining('Hello'),
  ]);
  const reply = await print({ text: 'One\nTwo\u001b[0m', tokensIn: 1 }, `leads get ${ids.lead}`, 80);
  expect(reply.lines).toEqual(['text      One', '          Two\\u001b[0m', 'tokensIn  1']);
});
