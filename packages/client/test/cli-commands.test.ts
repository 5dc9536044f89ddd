import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commands } from '../src/cli/command.ts';
import { EXIT_CODES } from '../src/cli/exit-codes.ts';
import { fieldFlags } from '../src/cli/field-flag.ts';
import { optionsOf, parseCommandLine } from '../src/cli/parse-command-line.ts';
import { readInput } from '../src/cli/read-input.ts';
import type { Shape } from '../src/cli/shapes/shape.ts';
import type { Operation } from '../src/contract/index.ts';
import { operations } from '../src/contract/index.ts';
import { ids, KEY } from './support/data.ts';
import { runConfab } from './support/run-confab.ts';

const all = Object.values<Operation>(operations);

/** Splits a command line as a shell does, for the quotes that examples use. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));

test('each operation of the contract is a command, whose help has every field, and every known value', async () => {
  expect(commands.map(({ id }) => id).filter((id) => id !== 'leads.ensure')).toEqual(all.map(({ id }) => id));
  for (const { id, query, body, params, scope } of all) {
    const words = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('.');
    const { code, out } = await runConfab([...words, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`confab ${words.join(' ')}${params ? ' ID' : ''} [flags]`);
    expect(out).toContain(scope);
    const fields = [query, body].flatMap((schema) =>
      schema === undefined ? [] : Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}),
    );
    for (const [name, json] of fields) {
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      expect(out, `${id} ${name}`).toMatch(new RegExp(`^ {2}${flag} [A-Z]+ `, 'm'));
      const values = [JSON.stringify(json).match(/"enum":(\[[^\]]*\])/)?.[1] ?? '[]'].flatMap(
        (text): string[] => JSON.parse(text),
      );
      expect(out.replaceAll(/\s+/g, ' ')).toContain(values.join(', '));
    }
  }
});

test('no two flags of a command have the same name', () => {
  for (const command of commands) {
    const names = [
      ...command.flags.map(({ flag }) => flag),
      'all',
      'json',
      'data',
      'mock',
      'help',
      'version',
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(optionsOf(command))).toEqual(
      expect.arrayContaining(command.flags.map(({ flag }) => flag)),
    );
  }
});

test('the examples of each help are valid command lines', async () => {
  for (const { name } of commands) {
    const { out } = await runConfab(['help', ...name.split(' ')]);
    const examples = out.match(/^ {2}confab .*$/gm) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const words = shellWords(example.replace(/ > .*/, '').replace('@body.json', '-')).slice(1);
      const stdin = '{"phone":"+442079460958","content":"Hi","userMessage":"Hi"}';
      const known = commands.find((command) => command.name === name)?.flags.map(({ field }) => field) ?? [];
      const body = JSON.stringify(
        JSON.parse(stdin),
        ['phone', 'content', 'userMessage'].filter((field) => known.includes(field)),
      );
      expect(await runConfab([...words, '--dry-run'], { stdin: body }), example).toMatchObject({
        code: 0,
        err: '',
      });
    }
  }
});

test('the general help names every command and every exit code, with or without an argument', async () => {
  const { code, out } = await runConfab(['--help']);
  expect(code).toBe(0);
  for (const { name, params } of commands) {
    expect(out).toContain(`  ${name}${params.length > 0 ? ' ID' : ''}  `);
  }
  expect(await runConfab([])).toEqual({ code: 0, out, err: '' });
  expect(await runConfab(['help'])).toEqual({ code: 0, out, err: '' });
  for (const line of out.split('\n')) {
    expect(line.length).toBeLessThanOrEqual(100);
  }
});

test('the guide lists the exit codes, as the help does', async () => {
  const guide = readFileSync(new URL('../../../docs/guides/command-line.md', import.meta.url), 'utf8');
  const { out } = await runConfab(['--help']);
  const rows = [...guide.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, when]) => ({
    code: Number(code),
    when,
  }));
  expect(rows).toEqual(EXIT_CODES.map(({ code, when }) => ({ code, when })).sort((a, b) => a.code - b.code));
  for (const { code, when } of rows) {
    expect(out).toContain(`  ${String(code).padEnd(3)}  ${when}`);
  }
});

test('the name of a resource lists its commands', async () => {
  const { out } = await runConfab(['leads']);
  expect(out).toContain('confab leads update ID  Update a lead.');
  expect(out).not.toContain('conversations');
  expect(await runConfab(['leads', '--help'])).toEqual({ code: 0, out, err: '' });
});

test.for<[args: string[], message: RegExp]>([
  [['leds', 'list'], /Unknown command "leds". Did you mean leads\? See confab --help./],
  [['leads', 'lst'], /Unknown command "leads lst". Did you mean leads list\? See confab leads --help./],
  [['--mock'], /No command. Use conversations, leads, agents, analytics or completion. See confab --help./],
  [['--mok'], /Unknown flag --mok. Did you mean --mock\?/],
  [['leads', '--dry-run'], /Which command of leads\? Use list, create, ensure, get, update./],
  [['leads', 'list', '--limt', '3'], /Unknown flag --limt. Did you mean --limit\?/],
  [['leads', 'list', '--limit', 'ten'], /--limit must be a whole number from 1 to 100, got "ten"./],
  [['leads', 'list', '--limit', '101'], /--limit must be a whole number from 1 to 100, got 101./],
  [['leads', 'list', '--limit', '1.5'], /--limit must be a whole number from 1 to 100, got 1.5./],
  [['leads', 'list', 'more'], /Unexpected argument "more"./],
  [['leads', 'get'], /No ID. Use confab leads get ID./],
  [['leads', 'get', '../agents'], /ID must be a UUID, got "..\/agents"./],
  [['leads', 'create'], /leads create needs --phone. See confab leads create --help./],
  [['leads', 'update', ids.lead], /leads update has nothing to send. Pass a flag of a field, or --data./],
  [
    ['leads', 'update', ids.lead, '--status', 'qualifed'],
    /--status must be one of "new", .*, got "qualifed". Did you mean qualified\?/,
  ],
  [['leads', 'update', ids.lead, '--notes', 'a', '--no-notes'], /--notes can't be used with --no-notes./],
  [['leads', 'update', ids.lead, '--data', '{'], /--data must contain a JSON object/],
  [['leads', 'update', ids.lead, '--data', '[]'], /--data must contain a JSON object, got an array/],
  [
    ['leads', 'update', ids.lead, '--data', '{"nots":"x"}'],
    /--data has unknown fields: nots. Did you mean `notes`\?\n$/,
  ],
  [
    ['leads', 'update', ids.lead, '--data', '{"notes":5}'],
    /--data has an invalid notes, which must be a string, got 5./,
  ],
  [['leads', 'update', ids.lead, '--data', '@/dev/zero'], /\/dev\/zero has more than 10 MiB/],
  [['leads', 'update', ids.lead, '--data', '@/no/such/file'], /Cannot read \/no\/such\/file: ENOENT/],
  [['agents', 'list', '--all'], /Unknown flag --all/],
  [['conversations', 'list', '--status', 'opne'], /Did you mean open\?/],
  [['analytics', 'funnel', '--from', 'yesterday'], /--from must be a date and time with an offset/],
  [['leads', 'list', '--auth', 'baerer', '--base-url', 'https://api.example.com'], /Did you mean bearer\?/],
  [['leads', 'list'], /No base URL. Pass --base-url, or set CONFAB_BASE_URL. .* add --mock./],
  [['leads', 'list', '--base-url', 'https://api.example.com'], /No API key. Set CONFAB_API_KEY./],
  [['leads', 'list', '--mock', '--api-key', 'k'], /--mock has its own base URL and API key./],
  [
    ['completion', 'fihs'],
    /confab completion needs the name of a shell: bash, zsh, fish. Did you mean fish\?/,
  ],
])('%j is refused with a sentence that says what to do, and exit code 2', async ([args, message]) => {
  const { code, out, err } = await runConfab(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(message);
  expect(err).toMatch(/^confab: [^\n]*\n$/);
});

test('a base URL that the client refuses is reported with the names of the flags', async () => {
  const { code, err } = await runConfab(['leads', 'list', '--base-url', 'http://api.example.com'], {
    env: { CONFAB_API_KEY: KEY },
  });
  expect(code).toBe(2);
  expect(err).toContain('--base-url must use https');
  expect(err).not.toContain('`');
});

test('a key in the wrong place is not repeated', async () => {
  for (const [args, env] of [
    [['leads', 'get', KEY], { CONFAB_API_KEY: KEY }],
    [['leads', 'list', '--search', KEY, '--json'], { CONFAB_API_KEY: KEY }],
    [['leads', KEY, '--api-key', KEY], {}],
    [[KEY, `--api-key=${KEY}`], {}],
  ] as const) {
    const { code, err } = await runConfab(args, { env });
    expect(code).toBe(2);
    expect(err).toContain('An argument contains the API key');
    expect(err).not.toContain(KEY);
  }
});

test('a key that starts with dashes is not repeated', async () => {
  const { code, err } = await runConfab(['leads', 'list', '--api-key', `--${KEY}`]);
  expect(code).toBe(2);
  expect(err).toContain('write --api-key=VALUE');
  expect(err).not.toContain(KEY);
});

test('help for a command does not repeat a key either', async () => {
  const { code, out } = await runConfab(['help', '--api-key', KEY, 'leads', 'get']);
  expect([code, out]).toEqual([0, (await runConfab(['help', 'leads', 'get'])).out]);
});

test('a day stands for its midnight in UTC, a date-time for itself', async () => {
  const { out } = await runConfab([
    'analytics',
    'funnel',
    '--dry-run',
    ...[
      '--from',
      '2026-01-31',
      '--to',
      '2026-02-01T12:00:00+02:00',
      '--base-url',
      'https://api.example.com/',
    ],
  ]);
  const { url } = JSON.parse(out);
  expect([...new URL(url).searchParams]).toEqual([
    ['from', '2026-01-31T00:00:00Z'],
    ['to', '2026-02-01T12:00:00+02:00'],
  ]);
});

const base = commands.find(({ id }) => id === 'leads.update')!;
const shape: Shape = {
  type: 'object',
  closed: true,
  properties: {
    isHot: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    scores: { type: 'array', items: { type: 'integer', maximum: 5 } },
    nested: { type: 'object', properties: {} },
  },
  optional: ['isHot', 'tags', 'scores', 'nested'],
};
const schema = z.object({
  isHot: z.optional(z.boolean()),
  tags: z.optional(z.array(z.string())),
  scores: z.optional(z.array(z.number())),
  nested: z.optional(z.object({})),
});
const command = {
  ...base,
  flags: fieldFlags('leads.update', 'body', schema, shape),
  shapes: { ...base.shapes, body: shape },
};

const bodyOf = async (args: string[]) => {
  const { values, positionals } = parseCommandLine(command, [ids.lead, ...args]);
  const io = { env: {}, stdin: async () => '', askSecret: undefined } as never;
  return (await readInput(command, values, positionals, io)).body;
};

test('booleans have a --no- flag, arrays repeat their flag, and nested objects go into --data', async () => {
  expect(await bodyOf(['--is-hot', '--tags', 'a', '--tags', 'b', '--scores', '5'])).toEqual({
    isHot: true,
    tags: ['a', 'b'],
    scores: [5],
  });
  expect(await bodyOf(['--no-is-hot', '--data', '{"isHot":true,"nested":{}}'])).toEqual({
    isHot: false,
    nested: {},
  });
  await expect(bodyOf(['--tags', 'c'])).rejects.toThrow('--tags must be one of "a", "b", got "c".');
  await expect(bodyOf(['--scores', '6'])).rejects.toThrow('--scores must be a whole number to 5, got 6.');
  await expect(bodyOf(['--nested', '{}'])).rejects.toThrow('Unknown flag --nested.');
});
