import { UsageError } from '@confab/internal/cli';
import type { Flags } from '../../../packages/mock/src/cli/parse-flags.ts';
import { OPTIONS, parseFlags } from '../../../packages/mock/src/cli/parse-flags.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

/** Writes a whole number without an exponent. */
const digits = (value: number): string => BigInt(value).toString();

const rangeOf = ({ latency }: Flags): string =>
  typeof latency === 'number' ? digits(latency) : `${digits(latency.min)}-${digits(latency.max)}`;

const rateOf = ({ rateLimit }: Flags): string | undefined => {
  if (typeof rateLimit === 'object') {
    return `${digits(rateLimit.requests)}/${digits(rateLimit.perMs)}ms`;
  }
  return rateLimit === undefined ? undefined : digits(rateLimit);
};

const faultOf = ({ target, fault }: Flags['faults'][number]): string => {
  const { status, delayMs, network, probability } = fault;
  const effect = status ?? (delayMs === undefined ? network : `${digits(delayMs)}ms`);
  return `${target}:${String(effect).padStart(3, '0')}:${probability}`;
};

const corsOf = ({ cors }: Flags): string[] => (cors === true ? ['*'] : cors === false ? [] : [...cors]);

/** Writes flags as a command line. */
const print = (flags: Flags): string[] => {
  const one = (name: string, value: unknown) => (value === undefined ? [] : [`--${name}=${value}`]);
  const on = (name: string, value: boolean) => (value ? [`--${name}`] : []);
  const { forward, tls } = flags;
  const shared = [
    ...one('port', flags.port),
    ...one('host', flags.host),
    ...on('allow-http', flags.allowHttp),
    ...on('quiet', flags.quiet),
    ...(tls === 'local' ? ['--tls'] : [...one('tls-cert', tls?.cert), ...one('tls-key', tls?.key)]),
  ];
  if (forward !== undefined) {
    const { url, key, record, force, keepPersonalData } = forward;
    return [
      ...shared,
      ...one('forward', url),
      ...one('forward-key', key),
      ...one('record', record),
      ...on('force', force),
      ...on('keep-personal-data', keepPersonalData),
    ];
  }
  return [
    ...shared,
    ...one('seed', flags.seed),
    ...one('data', flags.data),
    ...on('watch', flags.watch),
    ...one('key', flags.key),
    ...one('scopes', flags.scopes?.join(',')),
    ...one('rate-limit', rateOf(flags)),
    ...one('latency', rangeOf(flags)),
    ...flags.faults.flatMap((fault) => one('fault', faultOf(fault))),
    ...flags.webhooks.flatMap((url) => one('webhook', url)),
    ...one('webhook-secret', flags.webhookSecret),
    ...one('clock', flags.clock),
    ...one('state', flags.state),
    ...one('admin-token', flags.adminToken),
    ...one('world-ttl', flags.worldTtl),
    ...corsOf(flags).flatMap((origin) => one('cors', origin)),
  ];
};

/** Each line is an argument. */
export const target: Target = {
  checks:
    'Command lines of `confab-mock`: refused in one line without control characters, or flags in their ranges that print and parse as the same flags',
  maxBytes: 300,
  work: (bytes) => 20_000 + 1_500 * bytes,
  words: [
    ...Object.keys(OPTIONS).map((name) => `--${name}`),
    '\n',
    '=',
    '-p',
    '4010',
    '600/60000ms',
    '20-80',
    'leads.list:503:0.5',
    '*:250ms',
    'hang',
    'https://a.example',
  ],
  run: (input) => {
    const args = Buffer.from(input).toString('utf8').split('\n');
    let flags: Flags;
    try {
      flags = parseFlags(args);
    } catch (error) {
      hold(error instanceof UsageError, `threw ${error}`);
      hold(!/[\p{Cc}\p{Bidi_Control}]/u.test(error.message), 'a control character in the message');
      return;
    }
    const { port, seed, worldTtl } = flags;
    hold(Number.isInteger(port) && port >= 0 && port <= 65_535, `the port ${port}`);
    hold(Number.isSafeInteger(seed) && seed >= 0, `the seed ${seed}`);
    hold(worldTtl === undefined || (Number.isSafeInteger(worldTtl) && worldTtl > 0), `the time ${worldTtl}`);
    hold(!flags.watch || flags.state === undefined, '--watch with --state');
    const printed = print(flags);
    same(parseFlags(printed), flags, 'the printed flags');
  },
};
