import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import { refusalOf, startInProcess, writeTempFile } from '../support/command.ts';
import { KEY } from '../support/forwarding.ts';

const SERVICE = 'https://api.example.com';

test('short flags can be grouped, flags can be repeated, and values can follow an equals sign', async () => {
  const { banner, key, call } = await startInProcess(
    ...['-qp0', '--latency', '0-1', '--rate-limit=5', '--key=-dashed'],
    ...['--fault', 'agents.list:418:1', '--fault', 'leads.list:1ms'],
  );
  expect([banner.split('\n').length, key]).toEqual([3, '-dashed']);
  expect((await call('/api/v2/public/agents')).status).toBe(418);
  expect((await call('/api/v2/public/leads')).status).toBe(200);
});

test('--fault takes a JSON file with a list of faults, in the format of the faults in a data file', async () => {
  const fault = { status: 418, match: { query: { status: 'new' } } };
  const path = writeTempFile(
    'faults.json',
    JSON.stringify([{ operation: 'leads.list', once: false, fault }]),
  );
  const { call } = await startInProcess('--fault', path, '--fault', 'agents.list:503');
  const status = async (target: string) => (await call(`/api/v2/public/${target}`)).status;
  expect([await status('leads'), await status('leads?status=new'), await status('agents')]).toEqual([
    200, 418, 503,
  ]);
  for (const [text, says] of [
    ['{}', 'Cannot load $: `faults` must be an array, got {}'],
    [
      '[{ "operation": "leads.lst", "fault": {} }]',
      'Cannot load $: faults[0]: Unknown operation "leads.lst". Did you',
    ],
    ['[', '$ is not JSON'],
  ] as const) {
    const file = writeTempFile('faults.json', text);
    expect(String(await refusalOf('--fault', file))).toContain(says.replace('$', file));
  }
  expect(String(await refusalOf('--fault', 'none.json'))).toContain('a JSON file; none.json does not exist');
});

/** A file that is not a certificate. */
const PEM = import.meta.filename;

const AT_41987 = ['--port', '41987'];
const OWN = 'http://127.0.0.1:41987';
const EXPOSED = ['--host', '0.0.0.0'];

test.each([
  [['--port', '70000'], '--port must be a whole number from 0 to 65535, got "70000"'],
  [['--admin-token', ''], '--admin-token must not be empty. Is its environment variable set?'],
  [['--webhook', 'null'], '--webhook must not be "null". Is its environment variable set?'],
  [['--prot', '80'], 'Unknown flag --prot. Did you mean --port? See --help.'],
  [['--ratelimit=zq-hidden'], 'Unknown flag --ratelimit. Did you mean --rate-limit? See --help.'],
  [['inti'], 'Unknown command "inti". Did you mean init? See --help.'],
  [['rows.yaml'], 'Unknown command "rows.yaml". To load a file, write --data rows.yaml. See --help.'],
  [['--quiet', 'init'], 'Write init first, and its flags after it. See --help.'],
  [['--watch'], '--watch needs --data with the path of a JSON or YAML file'],
  [['--watch', '--data', 'x.yaml', '--state', 's'], "Option '--watch' cannot be used with option '--state <"],
  [['--fault', 'leads.list:5xx'], 'got "leads.list:5xx"'],
  [['--fault', 'leads.list:slow'], 'status, 250ms, error, hang, truncate or stall>'],
  [['--webhook', 'http://127.0.0.1:1/'], '--webhook needs --webhook-secret'],
  [['--webhook', 'here', '--webhook-secret', 'whsec_0123456789'], '--webhook must be an http or https URL'],
  [['--admin-token', 'two words'], '--admin-token must consist of visible ASCII characters'],
  [['--key', 'two words'], '--key must consist of visible ASCII characters'],
  [['--clock', 'sand'], '--clock must be one of system, virtual, got "sand".'],
  [['--latency', '9-3'], '--latency must be a range whose `max` is at least its `min`'],
  [
    ['--latency', 'long'],
    '--latency must be milliseconds, such as 250, or a range, such as 20-80, got "long"',
  ],
  [['--rate-limit', 'many'], '--rate-limit must be requests per minute, such as 600'],
  [['--host', '203.0.113.1'], 'This machine does not have the address "203.0.113.1". Check --host, or leave'],
  [['--cors', 'http://a.test/'], 'be an origin, such as http://localhost:5173, got "http://a.test/". Did'],
  [['--config', PEM, '--forward', SERVICE], "'--forward <url>' cannot be used with option '--config <file>'"],
  [['--tls-cert', PEM], '--tls-cert needs --tls-key too. See --help.'],
  [['--tls-key', PEM], '--tls-key needs --tls-cert'],
  [['--tls-cert', PEM, '--tls-key', 'no\nsuch.pem'], 'no such.pem does not exist'],
  [['--tls-cert', PEM, '--tls-key', PEM], 'and --tls-key must be a certificate and its private key'],
  [['--forward-key', KEY], '--forward-key needs --forward'],
  [['--forward', SERVICE, '--data', 'demo'], "'--forward <url>' cannot be used with option '--data <name>'"],
  [['--forward', SERVICE, '--force'], '--force needs --record'],
  [['--forward', 'http://a.example'], '--forward must be an https URL'],
  [['--forward', 'https://u:p@a.example'], 'must not contain a user name'],
  [['--forward', `${SERVICE}?x`], 'without a query'],
  [['--forward', KEY], '--forward must be the base URL'],
  [[...AT_41987, '--forward', OWN], `must be the URL of a service, but ${OWN} is this proxy itself`],
  [[...AT_41987, '--forward', 'http://localhost:41987/v1'], 'http://localhost:41987 is this proxy itself'],
  [[...AT_41987, ...EXPOSED, '--allow-http', '--forward', OWN], `${OWN} is this proxy itself`],
  [['--forward', SERVICE, '--forward-key', 'two words'], '--forward-key must consist of visible ASCII'],
  [['--forward', SERVICE, ...EXPOSED], '--host 0.0.0.0 needs --tls'],
  [['--forward', SERVICE, ...EXPOSED, '--tls', '--forward-key', 'k'], '--forward-key needs a loopback'],
])('the flags %j are refused in one line that does not repeat a key', async (args, says) => {
  const error = await refusalOf(...args);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(says);
  expect(String(error)).not.toMatch(/\n|zq-hidden/);
  expect(String(error)).not.toContain(KEY);
});
