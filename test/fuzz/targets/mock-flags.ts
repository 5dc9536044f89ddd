/**
 * Command lines of `confab-mock`: refused in one line without control characters, or flags in their ranges that print and
 * parse as the same flags.
 */
import { UsageError } from '@confab/internal/cli';
import type { Flags } from '../../../packages/mock/src/cli/parse-flags.ts';
import { OPTIONS, parseFlags } from '../../../packages/mock/src/cli/parse-flags.ts';
import { assert, checkMessage, define, fc, isObject, near, piece, same } from '../kit.ts';

/** How a value is written where it is not just a text: whole numbers without an exponent. */
const written = (value: unknown): string =>
  typeof value === 'number' ? BigInt(value).toString() : String(value);

const faultOf = ({ target, fault }: Flags['faults'][number]): string => {
  const { status, delayMs, network, probability } = fault;
  const effect = status ?? (delayMs === undefined ? network : `${written(delayMs)}ms`);
  return `${target}:${String(effect).padStart(3, '0')}:${probability}`;
};

/** Writes flags as a command line. */
const print = (all: Flags): string[] => {
  const { faults, webhooks, cors, scopes, rateLimit, latency, tls, forward, ...plain } = all;
  const { url, key, ...forwarded } = forward ?? {};
  const rate = isObject(rateLimit) && `${written(rateLimit.requests)}/${written(rateLimit.perMs)}ms`;
  const range = isObject(latency) && `${written(latency.min)}-${written(latency.max)}`;
  // A proxy has no flags of the mock.
  const { port, host, allowHttp, quiet } = plain;
  const lists = { webhook: webhooks, fault: faults.map(faultOf), cors: cors === true ? '*' : cors };
  const ofMock = { ...plain, ...lists, scopes, rateLimit: rate || rateLimit, latency: range || latency };
  const ofProxy = { port, host, allowHttp, quiet, forward: url, forwardKey: key, ...forwarded };
  const flags: object = forward === undefined ? ofMock : ofProxy;
  const { cert, key: tlsKey } = isObject(tls) ? tls : {};
  return Object.entries({ ...flags, tls: tls === 'local', tlsCert: cert, tlsKey }).flatMap(
    ([name, value]) => {
      const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const values = name === 'scopes' && Array.isArray(value) ? [value.join(',')] : [value ?? []].flat();
      return values.flatMap((item) =>
        item === true ? flag : item === false ? [] : `${flag}=${written(item)}`,
      );
    },
  );
};

const EXAMPLES = [
  '--forward https://api.example.com --record=r.json --force --tls-cert=a.pem --tls-key=b.pem -q',
  '--port=0 --data rows.yaml --watch --latency 20-80 --fault leads.list:503:0.5 --rate-limit=5/1000ms',
  '--cors --key=k --scopes=read:leads,write:leads --webhook=https://a.example/hook --webhook-secret=s --clock=virtual --world-ttl=60000 --admin-token=0123456789abcdef',
  // A past finding.
  '--rate-limit=5/00ms',
].map((line) => line.split(' '));
const TOKENS = [
  ...EXAMPLES.flat(),
  ...Object.keys(OPTIONS).map((name) => `--${name}`),
  ...'-p 4010 --port=65535 --seed=9007199254740991 *:250ms *:hang --fault=*:404 --latency=0-0 --state=s.json'.split(
    ' ',
  ),
  ...'= --cors=https://a.example'.split(' '),
];

export const target = define(
  near(EXAMPLES, fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...TOKENS) }, piece(TOKENS, 3))),
  (args) => {
    let flags: Flags;
    try {
      flags = parseFlags(args);
    } catch (error) {
      assert.ok(error instanceof UsageError, error as Error);
      checkMessage(error.message);
      return;
    }
    const { port, seed, worldTtl } = flags;
    assert.ok(Number.isInteger(port) && port >= 0 && port <= 65_535, `the port ${port}`);
    assert.ok(Number.isSafeInteger(seed) && seed >= 0, `the seed ${seed}`);
    assert.ok(
      worldTtl === undefined || (Number.isSafeInteger(worldTtl) && worldTtl > 0),
      `the time ${worldTtl}`,
    );
    assert.ok(!flags.watch || flags.state === undefined, '--watch with --state');
    same(parseFlags(print(flags)), flags, 'the printed flags');
  },
  EXAMPLES,
);
