/**
 * Command lines of `confab-mock`: refused in one line without control characters, or flags in their ranges that print and
 * parse as the same flags.
 */
import { runProgram, UsageError } from '@confab/internal/cli';
import { Command } from 'commander';
import type { Flags } from '../../../packages/mock/src/cli/flags.ts';
import { addFlags, flagsOf } from '../../../packages/mock/src/cli/flags.ts';
import { assert, checkMessage, define, fc, isObject, near, piece } from '../kit.ts';

/** The flags of a command line; `undefined` if it asks for help. */
const parse = async (args: readonly string[]): Promise<Flags | undefined> => {
  let flags: Flags | undefined;
  const program = addFlags(new Command().exitOverride().configureOutput({ outputError: () => {} }));
  program.action(() => {
    flags = flagsOf(program);
  });
  await runProgram(program, args);
  return flags;
};

/** How a value is written where it is not just a text: whole numbers without an exponent. */
const written = (value: unknown): string =>
  typeof value === 'number' ? BigInt(value).toString() : String(value);

const faultOf = ({ target, fault }: NonNullable<Flags['fault']>[number]): string => {
  const { status, delayMs, network, probability } = fault;
  const effect = status ?? (delayMs === undefined ? network : `${written(delayMs)}ms`);
  return `${target}:${String(effect).padStart(3, '0')}:${probability}`;
};

/** Writes flags as a command line. */
const print = ({ fault, scopes, rateLimit, latency, ...plain }: Flags): string[] => {
  const rate = isObject(rateLimit) && `${written(rateLimit.requests)}/${written(rateLimit.perMs)}ms`;
  const range = isObject(latency) && `${written(latency.min)}-${written(latency.max)}`;
  const lists = { fault: fault?.map(faultOf), scopes: scopes?.join(',') };
  // A proxy has no flags of the mock.
  const defaults = plain.forward === undefined ? {} : { data: undefined, clock: undefined };
  const flags = { ...plain, ...lists, rateLimit: rate || rateLimit, latency: range || latency, ...defaults };
  return Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [value ?? []].flat().map((item) => (item === true ? flag : `${flag}=${written(item)}`));
  });
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
  ...addFlags(new Command()).options.map(({ long }) => String(long)),
  ...'-p 4010 --port=65535 --seed=9007199254740991 *:250ms *:hang --fault=*:404 --latency=0-0 --state=s.json'.split(
    ' ',
  ),
  ...'= --cors=https://a.example'.split(' '),
];

export const target = define(
  near(EXAMPLES, fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...TOKENS) }, piece(TOKENS, 3))),
  async (args) => {
    let flags: Flags | undefined;
    try {
      flags = await parse(args);
    } catch (error) {
      assert.ok(error instanceof UsageError, error as Error);
      checkMessage(error.message);
      return;
    }
    if (flags === undefined) {
      return;
    }
    const { port, seed = 1, worldTtl } = flags;
    assert.ok(Number.isInteger(port) && port >= 0 && port <= 65_535, `the port ${port}`);
    assert.ok(Number.isSafeInteger(seed) && seed >= 0, `the seed ${seed}`);
    assert.ok(
      worldTtl === undefined || (Number.isSafeInteger(worldTtl) && worldTtl > 0),
      `the time ${worldTtl}`,
    );
    assert.ok(!flags.watch || flags.state === undefined, '--watch with --state');
    assert.deepEqual(await parse(print(flags)), flags, 'the printed flags');
  },
  EXAMPLES,
);
