import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Operation } from '../src/contract/index.ts';
import { operations } from '../src/contract/index.ts';
import { ids, KEY } from './support/data.ts';
import { runConfab } from './support/run-confab.ts';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

const lead = ids.lead;

test.each(Object.values<Operation>(operations))(
  '$id is a command whose help lists its fields, known values and scope',
  async ({ id, query, body, params, scope }) => {
    const words = id.split('.').map(kebab);
    const { code, out, err } = await runConfab([...words, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: confab ${words.join(' ')} [options]${params ? ' <id>' : ''}\n`);
    expect(out).toContain(scope);
    const flags = [...out.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag);
    expect(new Set(flags).size).toBe(flags.length);
    for (const schema of [query, body]) {
      const { properties = {} } = schema ? z.toJSONSchema(schema, { io: 'input' }) : {};
      for (const [name, property] of Object.entries(properties)) {
        expect(out).toMatch(new RegExp(`^ {2}--${kebab(name)} <[a-z-]+> `, 'm'));
        const [, values = '[]'] = /"enum":(\[[^\]]*\])/.exec(JSON.stringify(property)) ?? [];
        expect(oneLine(out)).toContain(JSON.parse(values).join(', '));
      }
    }
  },
);

test('a nullable field has a --no- flag, and the help names defaults', async () => {
  const { out } = await runConfab(['leads', 'create', '--help']);
  expect(out.match(/--no-[\w-]+/g)).toEqual(['--no-display-name', '--no-email', '--no-notes']);
  expect(oneLine((await runConfab(['leads', 'list', '--help'])).out)).toMatch(
    /--limit <\w+> .*? Default 25\./,
  );
});

test('the general help names every command and, like the guide, every exit code', async () => {
  const { code, out } = await runConfab(['--help']);
  expect(code).toBe(0);
  for (const { id } of Object.values<Operation>(operations)) {
    const [resource, name] = id.split('.').map(kebab);
    expect(oneLine(out)).toMatch(new RegExp(` ${resource} [^.]*: [^.]*\\b${name}\\b`));
  }
  for (const line of out.split('\n')) {
    expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(await runConfab([])).toEqual({ code: 0, out, err: '' });
  expect(await runConfab(['help'])).toEqual({ code: 0, out, err: '' });

  const guide = readFileSync(new URL('../../../docs/guides/command-line.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, exit, when]) => `${exit} ${when}`);
  expect(rows.length).toBeGreaterThan(10);
  expect(oneLine(out)).toContain(` Exit codes: ${rows.join(' ')} Examples: `);
});

test('the examples of the help are valid command lines', async () => {
  const { out } = await runConfab(['--help'], { terminal: 200 });
  const examples = out.match(/^ {2}confab .*?(?= {2}|$)/gm) ?? [];
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) {
    const [, ...words] = example.replace(/ > .*/, '').trim().split(' ');
    expect(await runConfab([...words, '--dry-run']), example).toMatchObject({ code: 0, err: '' });
  }
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await runConfab(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test.for([
  ['leds list', "Unknown command 'leds'. Did you mean leads? See --help."],
  ['leads lst', "Unknown command 'lst'. Did you mean list? See confab leads --help."],
  [
    'conversations send',
    "Unknown command 'send'. Did you mean send-message? See confab conversations --help.",
  ],
  ['agents delete', "Unknown command 'delete'. Known: list, invoke. See confab agents --help."],
  ['leads --dry-run', 'No command. See confab leads --help.'],
  ['leads list --limt=3', 'Unknown flag --limt. Did you mean --limit? See confab leads list --help.'],
  [
    'leads create --name Ada',
    'Unknown flag --name. Did you mean --display-name? See confab leads create --help.',
  ],
  ['leads list --page 2', 'Unknown flag --page. Did you mean --offset? See confab leads list --help.'],
  ['leads list --url x', 'Unknown flag --url. Did you mean --base-url? See confab leads list --help.'],
  ['leads list --frobnicate', 'Unknown flag --frobnicate. See confab leads list --help.'],
  ['leads list --search', "Option '--search <text>' argument missing. See confab leads list --help."],
  ['leads get', '<id> is required. See confab leads get --help.'],
  [
    'leads get 1 2',
    "Too many arguments for 'get'. Expected 1 argument but got 2: 1, 2. See confab leads get --help.",
  ],
  [
    'conversations send-message 1 Hello',
    "Too many arguments for 'send-message'. Expected 1 argument but got 2: 1, Hello. Fields are flags: --content <text>. See",
  ],
  [
    'leads update 1 Ada',
    "Too many arguments for 'update'. Expected 1 argument but got 2: 1, Ada. Fields are flags: --display-name <text>, --email <text>, --notes <text>, --status <value>. See",
  ],
  ['leads get ../agents', '<id> must be a UUID, got "../agents". See confab leads get --help.'],
  ['leads get a\u001b[2J\nb', '<id> must be a UUID, got "a\\u001b[2J\\nb". See'],
  ['leads list --limit ten', '--limit must be a number, got "ten". See confab leads list --help.'],
  ['analytics funnel --from 2026-02-30', '--from must be an existing date and time with an offset, such as'],
  ['leads create', '--phone is missing. See confab leads create --help.'],
  [`leads update ${lead}`, 'Nothing to send. Pass a flag of a field, or --data. See confab leads update'],
  [`leads update ${lead} --status qualifed`, '--status must be one of "new", "active"'],
  [`leads update ${lead} --data {`, '--data must be one JSON object, such as '],
  [`leads update ${lead} --data {"nots":"x"}`, '--data has unknown fields: nots. Did you mean `notes`? '],
  [`leads update ${lead} --data @/no/such/file`, 'Cannot read --data @/no/such/file: ENOENT'],
  [
    'leads list',
    'No base URL. Pass --base-url, or set CONFAB_BASE_URL. To try the command without an account, add --mock.',
  ],
  ['leads list --base-url https://api.example.com', 'No API key. Set CONFAB_API_KEY.'],
  ['leads list --base-url http://api.example.com', '--base-url must use https'],
  ['leads list --mock --api-key k', "Option '--mock' cannot be used with option '--api-key <key>'."],
])('confab exits with 2 and says what to do: %j', async ([line = '', message = '']) => {
  const { code, out, err } = await runConfab(line.split(' '));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^[^\n]*\n$/);
  expect(err.slice(0, -1)).toContain(`confab: ${message}`);
});

test.for([
  [`leads get ${KEY}`, KEY],
  [`leads list --search ${KEY} --json`, KEY],
  [`leads ${KEY} --api-key ${KEY}`],
  [`${KEY} --api-key=${KEY}`],
])('confab refuses a key in the wrong place, and does not print it: %j', async ([line = '', key = '']) => {
  const { code, err } = await runConfab(line.split(' '), { env: { CONFAB_API_KEY: key } });
  expect(code).toBe(2);
  expect(err).toContain('An argument contains the API key');
  expect(err).not.toContain(KEY);
});

test('a value outside the contract is sent, with a warning that is safe to show', async () => {
  const { code, out, err } = await runConfab(['leads', 'list', '--status', 'nwe\u009b2J', '--dry-run']);
  expect(code).toBe(0);
  expect(JSON.parse(out).url).toContain('status=nwe');
  expect(err).toMatch(/^confab: --status has the unknown value "nwe\\u009b2J"\. Known: new, .*\.\n$/);
});

test('--dry-run prints the request, and needs no key', async () => {
  const env = { CONFAB_BASE_URL: 'https://api.example.com/' };
  const askSecret = () => expect.unreachable();
  const url = `https://api.example.com/api/v2/public/leads/${lead}`;
  const args = ['leads', 'update', lead, '--no-notes', '--dry-run'];
  const programs = await runConfab(args, { env, askSecret });
  expect(JSON.parse(programs.out)).toEqual({ method: 'PATCH', url, body: { notes: null } });
  const people = await runConfab(args, { env, askSecret, terminal: 80 });
  expect(people.out).toBe(`PATCH ${url}\n{"notes":null}\n`);
});
