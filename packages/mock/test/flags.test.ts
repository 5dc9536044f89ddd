import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFlags } from '../src/cli/parse-flags.ts';
import { folder, refusalOf, serving } from './support/command.ts';

/** A file of few bytes that would expand to gigabytes. */
const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`).join('\n')}\n`;

test('flags are read into options', () => {
  expect(
    parseFlags([
      '-qp7',
      '--latency',
      '20-80',
      '--rate-limit=5',
      '--fault',
      '*:hang:0.5',
      '--fault',
      'leads.list:250ms',
      '--key=-dashed',
    ]),
  ).toMatchObject({
    quiet: true,
    port: 7,
    latency: { min: 20, max: 80 },
    rateLimit: 5,
    faults: [
      { target: '*', fault: { network: 'hang', probability: 0.5 } },
      { target: 'leads.list', fault: { delayMs: 250 } },
    ],
    key: '-dashed',
  });
});

test('every kind of wrong usage is reported in one line', async () => {
  const path = folder();
  const file = (name: string, text: string) => {
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  for (const [args, says] of [
    [['--port', '70000'], 'from 0 to 65535, got "70000"'],
    [['--port', '-1'], 'from 0 to 65535, got "-1"'],
    [['-p', '-1'], 'from 0 to 65535, got "-1"'],
    [['--port'], '--port needs a value'],
    [['--state', '--quiet'], '--state needs a value'],
    [['--key', '-dashed'], '--key needs a value. If the value starts with a dash, write --key=VALUE.'],
    [['--quiet=yes'], '--quiet does not accept a value'],
    [['--no-quiet'], 'Unknown flag --no-quiet. Did you mean --quiet? See --help.'],
    [['--prot', '80'], 'Unknown flag --prot. Did you mean --port? See --help.'],
    [['--ratelimit=5'], 'Unknown flag --ratelimit. Did you mean --rate-limit? See --help.'],
    [['--colour'], 'Unknown flag --colour. See --help.'],
    [['--watch'], '--watch needs --data with the path of a JSON or YAML file'],
    [
      ['--watch', '--data', 'rows.yaml', '--state', 'state.json'],
      "--watch can't be used with --state: one replaces the rows by those of --data, the other keeps them",
    ],
    [['-x'], 'Unknown flag -x. See --help.'],
    [['leads'], '"leads"'],
    [['--', '--quiet'], '"--quiet"'],
    [['--fault', 'leads.list:sometimes'], 'leads.list:sometimes'],
    [['--fault', 'leads.list:hnag'], 'Did you mean hang?'],
    [['--fault', 'leads.creat:503'], 'Unknown operation "leads.creat". Did you mean "leads.create"?'],
    [['--webhook', 'http://127.0.0.1:1/'], '--webhook-secret'],
    [['--webhook', 'here', '--webhook-secret', 'whsec_0123456789'], 'here'],
    [['--scopes', 'everything'], 'everything'],
    [['--key', 'two words'], 'visible ASCII'],
    [['--admin-token', 'two words'], '--admin-token must consist of visible ASCII characters'],
    [['--clock', 'sand'], 'sand'],
    [['--latency', '9-3'], '9-3'],
    [['--rate-limit', 'many'], 'many'],
    [['--rate-limit', '5/00ms'], '5/00ms'],
    [['--world-ttl', '0'], '--world-ttl must be a whole number from 1 to 9007199254740991, got "0"'],
    [['--world-ttl=-1'], '--world-ttl must be a whole number from 1 to 9007199254740991, got "-1"'],
    [['--scopes', 'read:leads,write:lead'], 'the scope "write:lead". Did you mean "write:leads"?'],
    [
      ['--host', '203.0.113.1'],
      'This machine does not have the address "203.0.113.1". Check --host, or leave it out for 127.0.0.1.',
    ],
    [['--data', path], 'must be a regular file, and is a directory'],
    [['--data', file('list.json', '[]')], 'list.json'],
    [['--data', file('list.yaml', '- 1')], 'list.yaml must contain an object with arrays of rows'],
    [
      ['--data', file('broken.yml', 'leads:\n  - phone: "x')],
      'broken.yml is not YAML: Missing closing "quote at line 2, column',
    ],
    [['--data', file('bomb.yaml', BOMB)], 'bomb.yaml: its aliases repeat more than 1000000 values'],
    [
      ['--data', file('twice.json', '{"leads":[{"phone":"+5511987654321"},{"phone":"+5511987654321"}]}')],
      '+5511987654321',
    ],
    [['--data', file('phone.json', '{"leads":[{"phone":"none\\nat all"}]}')], 'E.164'],
    [['--data', 'no\nsuch\nfile.json'], 'no such file.json'],
  ] as const) {
    const error = await refusalOf(...args);
    expect([args, error]).toEqual([args, expect.any(UsageError)]);
    expect(String(error)).toContain(says);
    expect(String(error)).not.toContain('\n');
  }
});

test('an empty value is refused, as an unset variable gives it, and never printed nor taken for none', async () => {
  for (const flag of [
    ...['host', 'seed', 'port', 'data', 'key', 'scopes', 'rate-limit', 'latency', 'fault'],
    ...['webhook', 'webhook-secret', 'clock', 'state', 'admin-token'],
  ]) {
    for (const value of ['', ' ']) {
      const error = await refusalOf(`--${flag}`, value);
      expect(error).toEqual(new UsageError(`--${flag} must not be empty. Is its environment variable set?`));
    }
  }
});

test('a data file that is not JSON is reported in one line, with line and column', async () => {
  const path = join(folder(), 'rows.json');
  for (const [text, says] of [
    ['', 'ends too early at line 1, column 1'],
    ['{\n  "leads": [\n    { "phone": null },\n  ]\n}\n', 'unexpected "]" at line 4, column 3'],
    ['{\r\n  "leads": [],\r\n}', 'line 3, column 1'],
    ['{"leads": [\n', 'ends too early at line 2, column 1'],
    ["{\n 'leads': []}", 'line 2, column 2'],
    ['{"leads": "a\nb"}', 'line 1, column 13'],
    ['{}\n\n{}', 'line 3, column 1'],
    ['undefined', 'unexpected "u" at line 1, column 1'],
    ['\n\u001b[31m', '"\\u001b" at line 2, column 1'],
  ] as const) {
    writeFileSync(path, text);
    const error = await refusalOf('--data', path);
    expect([text, error]).toEqual([text, expect.any(UsageError)]);
    expect(String(error)).toContain(`${path} is not JSON: `);
    expect(String(error)).toContain(says);
    for (const control of ['\n', '\u001b']) {
      expect(String(error)).not.toContain(control);
    }
  }
});

test('the line and column are those of the wrong character, wherever it is', async () => {
  const path = join(folder(), 'rows.json');
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.integer({ min: 2, max: 4 }), fc.nat(), async (json, indent, at) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      const offset = at % (text.length + 1);
      const before = text.slice(0, offset);
      // Within a string it would not be wrong.
      fc.pre((before.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 0);
      writeFileSync(path, `${before}@${text.slice(offset)}`);
      const lines = before.split('\n');
      expect(String(await refusalOf('--data', path))).toContain(
        `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`,
      );
    }),
    { numRuns: 200 },
  );
});

test('a byte order mark in a data file is ignored', async () => {
  const path = join(folder(), 'rows.json');
  writeFileSync(path, '\uFEFF{"leads":[{"phone":"+5511987654321"}]}');
  const { call } = await serving('--data', path);
  expect((await call('/api/v2/public/leads')).body.meta.total).toBe(1);
});
