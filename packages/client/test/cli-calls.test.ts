import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conversation, funnel, ids, KEY, lead, message } from './support/data.ts';
import { createRows, idsOf, pagesOf } from './support/list.ts';
import { runConfab } from './support/run-confab.ts';
import type { Responder } from './support/server.ts';
import { drop, failure, json, startServer, success } from './support/server.ts';

const envOf = (url: string) => ({ CONFAB_BASE_URL: url, CONFAB_API_KEY: KEY });

const one = (data: unknown[]): Responder =>
  json(200, { success: true, data, meta: { total: 1, limit: 25, offset: 0 } });

test.for<[line: string, answer: Responder, sends: unknown[], prints: unknown]>([
  [
    `conversations list --limit=10 --offset 20 --status snoozed --pipeline-id ${ids.pipeline}`,
    json(200, { success: true, data: [conversation], meta: { total: 21, limit: 10, offset: 20 } }),
    ['GET', '/conversations', { limit: '10', offset: '20', status: 'snoozed', pipelineId: ids.pipeline }, ''],
    conversation,
  ],
  [
    `conversations send-message --json --content=--hi ${ids.conversation}`,
    success(message, 201),
    ['POST', `/conversations/${ids.conversation}/messages`, {}, '{"content":"--hi"}'],
    message,
  ],
  [
    'leads create --phone +5511987654321 --display-name Ana --no-email',
    success(lead, 201),
    ['POST', '/leads', {}, '{"phone":"+5511987654321","displayName":"Ana","email":null}'],
    lead,
  ],
  [
    `leads update ${ids.lead} --data {"status":"active","notes":"x"} --status lost`,
    success(lead),
    ['PATCH', `/leads/${ids.lead}`, {}, '{"status":"lost","notes":"x"}'],
    lead,
  ],
  [
    'analytics funnel --from 2026-01-01 --to 2026-02-01T12:00:00+02:00',
    success(funnel),
    ['GET', '/analytics/funnel', { from: '2026-01-01T00:00:00Z', to: '2026-02-01T12:00:00+02:00' }, ''],
    funnel,
  ],
])(
  'confab sends the request of a command and prints the data as a line of JSON: %s',
  async ([line, answer, sends, prints]) => {
    const { url, arrivals } = await startServer(answer);
    const { code, out, err } = await runConfab(line.split(' '), { env: envOf(url) });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`${JSON.stringify(prints)}\n`);
    const { method, path, query, body, headers } = arrivals[0]!;
    expect([method, path.replace('/api/v2/public', ''), Object.fromEntries(query), body]).toEqual(sends);
    expect(headers['x-api-key']).toBe(KEY);
  },
);

test('confab accepts flags before the command, such as --auth bearer for the header of the key', async () => {
  const { url, arrivals } = await startServer(success(lead));
  const args = ['--base-url', url, '--auth', 'bearer', 'leads', '--json', 'get', ids.lead];
  expect(await runConfab(args, { env: { CONFAB_API_KEY: KEY } })).toMatchObject({ code: 0 });
  expect(arrivals[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('confab reads a body from standard input, with or without a byte order mark', async () => {
  const { url, arrivals } = await startServer(success(lead, 201));
  const stdin = `\uFEFF${JSON.stringify({ phone: lead.phone })}\n`;
  await runConfab(['leads', 'create', '--data', '-'], { env: envOf(url), stdin });
  expect(arrivals.map(({ body }) => body)).toEqual([JSON.stringify({ phone: lead.phone })]);
});

test('confab does not send a --data file that is not UTF-8, and names the byte', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'confab-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'lead.json');
  await writeFile(path, '{"phone":"+442079460958","displayName":"J\xf6rg"}', 'latin1');
  const { code, err } = await runConfab(['leads', 'create', '--data', `@${path}`]);
  expect(code).toBe(2);
  expect(err).toBe(`confab: --data @${path} is not UTF-8: see byte 41. Save it as UTF-8.\n`);
});

test('--all prints every row of the list once, and counts on standard error if that is a terminal', async () => {
  const { url, arrivals } = await startServer(pagesOf(createRows(230)));
  const quiet = await runConfab(['leads', 'list', '--all'], { env: envOf(url) });
  const printed = quiet.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(printed).toEqual(idsOf(createRows(230)));
  expect(quiet.err).toBe('');
  expect(arrivals[0]?.query.get('limit')).toBe('100');

  const counted = await runConfab(['leads', 'list', '--all'], { env: envOf(url), errorsToTerminal: true });
  expect(counted.out).toBe(quiet.out);
  expect(counted.err.split('\r\u001b[K').map((text) => text.trim())).toEqual([
    '',
    '100 rows of 230',
    '199 rows of 230',
    '230 rows of 230',
  ]);
});

test.each([[undefined], [200]])(
  'confab prints to standard error how to read the pages that follow: columns %s',
  async (terminal) => {
    const { url } = await startServer(pagesOf(createRows(1_230)));
    const situation = { env: envOf(url), ...(terminal && { terminal }) };
    const { code, out, err } = await runConfab(['leads', 'list', '--offset', '50'], situation);
    expect(out.trimEnd().split('\n')).toHaveLength(terminal ? 26 : 25);
    expect([code, err]).toEqual([0, '25 rows of 1,230. Continue with --offset 75, or pass --all.\n']);
    const last = await runConfab(['leads', 'list', '--offset', '1229'], situation);
    expect(last.err).toBe(terminal ? '1 row of 1,230.\n' : '');
    // The service may count no further than this.
    const full = await runConfab(['leads', 'list', '--offset', '1205'], situation);
    expect(full.err).toBe(
      '25 rows of 1,230. There may be more. Continue with --offset 1230, or pass --all.\n',
    );
  },
);

test('a command that waits after a 429 prints the seconds, if standard error is a terminal', async () => {
  const slow = failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'retry-after': '0' });
  for (const [errorsToTerminal, said] of [
    [true, /KWaiting \d+ s for the rate limit\.\n$/],
    [false, /^$/],
  ] as const) {
    const { url } = await startServer(slow, success(lead));
    const done = await runConfab(['leads', 'get', ids.lead], { env: envOf(url), errorsToTerminal });
    expect(done).toMatchObject({ code: 0, err: expect.stringMatching(said) });
  }
});

test('leads ensure finds the lead that exists, for people and for programs', async () => {
  const ensure = async (situation: object) => {
    const { url, arrivals } = await startServer(failure(409, 'EXISTS'), one([lead]));
    const done = await runConfab(['leads', 'ensure', '--phone', lead.phone], {
      env: envOf(url),
      ...situation,
    });
    expect([done.code, arrivals.map(({ method }) => method)]).toEqual([0, ['POST', 'GET']]);
    return done.out;
  };
  expect(JSON.parse(await ensure({}))).toEqual({ lead, status: 'existing' });
  expect(await ensure({ terminal: 200 })).toMatch(/^lead\.id {2,}\S+$/m);
});

test.for<[status: number, headers: Record<string, string>, name: string, code: number]>([
  [400, {}, 'BadRequestError', 3],
  [422, {}, 'ApiError', 3],
  [401, {}, 'AuthenticationError', 4],
  [403, {}, 'PermissionError', 5],
  [404, {}, 'NotFoundError', 6],
  [409, {}, 'ConflictError', 7],
  [429, { 'retry-after': '3600' }, 'RateLimitError', 8],
  [500, {}, 'ServerError', 9],
])('confab has an exit code for each kind of error status: %i', async ([status, headers, name, code]) => {
  const { url } = await startServer(failure(status, 'SOME_CODE', `No, ${KEY}`, headers));
  const args = ['leads', 'create', '--phone', '+1'];
  const people = await runConfab(args, { env: envOf(url), terminal: 80 });
  expect(people).toMatchObject({ code, out: '' });
  expect(people.err).toMatch(new RegExp(`^confab: .*${status}`));
  const programs = await runConfab([...args, '--json'], { env: envOf(url) });
  expect(programs.code).toBe(code);
  expect(programs.err.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(programs.err)).toMatchObject({
    error: { name, code: 'SOME_CODE', status, operation: 'leads.create' },
  });
  expect(people.err + programs.err).not.toContain(KEY);
});

test('the advice of confab after a 401 names the flag --api-key', async () => {
  const { url } = await startServer(failure(401, 'API_KEY_INVALID', 'The API key is not valid'));
  const { err } = await runConfab(['agents', 'list'], { env: envOf(url), terminal: 80 });
  expect(err).toBe(
    `confab: agents.list failed with 401 API_KEY_INVALID: The API key is not valid. Check CONFAB_API_KEY or --api-key: does it belong to ${url}?\n`,
  );
});

test.for<[code: number, what: string, answer: Responder]>([
  [10, 'connection that fails', drop],
  [11, 'response that breaks the contract', (_, response) => void response.end('<h1>\u001b[31mHi</h1>')],
])('confab exits with %i after a %s', async ([code, , answer]) => {
  const { url } = await startServer(answer);
  const ended = await runConfab(['leads', 'create', '--phone', '+1'], { env: envOf(url) });
  expect(ended).toMatchObject({ code, err: expect.stringMatching(/^confab: /) });
  expect(ended.err).not.toContain('\u001b');
});

test('confab accepts a key on the command line with a warning, and asks for a missing one', async () => {
  const { url, arrivals } = await startServer(success(lead));
  const warned = await runConfab(['leads', 'get', ids.lead, '--api-key', KEY, '--base-url', url]);
  expect(warned).toMatchObject({ code: 0, err: expect.stringMatching(/^confab: Other processes can see/) });
  expect(warned.err).not.toContain(KEY);
  const asked = await runConfab(['leads', 'get', ids.lead, '--base-url', url], {
    askSecret: async () => `${KEY} `,
  });
  expect(asked).toMatchObject({ code: 0, err: '' });
  expect(arrivals.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY]);
  const declined = await runConfab(['leads', 'get', ids.lead, '--base-url', url], {
    askSecret: async () => '',
  });
  expect(declined).toMatchObject({ code: 2, err: expect.stringContaining('No API key.') });
});
