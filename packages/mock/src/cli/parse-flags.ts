import { parseFlags as parseArguments, UsageError } from '@confab/internal/cli';
import { tokenProblem } from '../server/admin.ts';
import { originProblem } from '../server/check-serve-options.ts';
import type { RateLimit } from '../world/keys/check-key.ts';
import type { Latency } from '../world/world.ts';
import type { ForwardFlags } from './forward-flags.ts';
import { FORWARD_OPTIONS, parseForward } from './forward-flags.ts';
import { parseFault } from './parse-fault.ts';

/** The values of all flags. */
export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  /** `minimal`, `demo`, or the path of a JSON or YAML file. */
  readonly data: string;
  /** Whether the rows are replaced when the file of `data` changes. */
  readonly watch: boolean;
  readonly key: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly rateLimit: number | RateLimit | undefined;
  readonly latency: Latency;
  readonly faults: readonly ReturnType<typeof parseFault>[];
  readonly webhooks: readonly string[];
  readonly webhookSecret: string | undefined;
  readonly clock: 'system' | 'virtual';
  readonly state: string | undefined;
  readonly adminToken: string | undefined;
  /** Milliseconds. */
  readonly worldTtl: number | undefined;
  /** Bytes. */
  readonly maxWorldBytes: number | undefined;
  /** Whether plain HTTP is accepted beyond loopback. */
  readonly allowHttp: boolean;
  /** The origins whose pages may call the API, or `true` for every origin. */
  readonly cors: boolean | readonly string[];
  /** The files of a certificate and its key, `'local'` for a new certificate, or `undefined` for plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | 'local' | undefined;
  readonly quiet: boolean;
  /** The service to pass requests on to, in place of a mock; `undefined` for a mock. */
  readonly forward: ForwardFlags | undefined;
}

const DEFAULT_PORT = 4010;

/** The flags, as `parseArgs` of Node describes them. */
export const OPTIONS = {
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
  port: { type: 'string', short: 'p' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string' },
  data: { type: 'string' },
  watch: { type: 'boolean', default: false },
  key: { type: 'string' },
  scopes: { type: 'string' },
  'rate-limit': { type: 'string' },
  latency: { type: 'string' },
  fault: { type: 'string', multiple: true, default: [] as string[] },
  webhook: { type: 'string', multiple: true, default: [] as string[] },
  'webhook-secret': { type: 'string' },
  clock: { type: 'string' },
  state: { type: 'string' },
  'admin-token': { type: 'string' },
  'world-ttl': { type: 'string' },
  'max-world-bytes': { type: 'string' },
  'allow-http': { type: 'boolean', default: false },
  cors: { type: 'string', multiple: true, default: [] as string[] },
  tls: { type: 'boolean', default: false },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  quiet: { type: 'boolean', short: 'q', default: false },
  ...FORWARD_OPTIONS,
} as const;

/** Refuses the empty value that an unset variable leaves behind. */
const refuseEmpty = (values: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(values)) {
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text === 'string' && text.trim() === '') {
        throw new UsageError(`--${name} must not be empty. Is its environment variable set?`);
      }
    }
  }
};

const whole = <Or>(
  flag: string,
  text: string | undefined,
  or: Or,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): number | Or => {
  if (text === undefined) {
    return or;
  }
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(
      `--${flag} must be a whole number from ${min} to ${max}, got ${JSON.stringify(text)}`,
    );
  }
  return value;
};

const parseRateLimit = (text: string | undefined): number | RateLimit | undefined => {
  if (text === undefined) {
    return undefined;
  }
  const [, requests, perMs] = /^(\d+)(?:\/(\d+)ms)?$/.exec(text) ?? [];
  if (requests === undefined || Number(perMs) === 0) {
    throw new UsageError(
      `--rate-limit must be requests per minute, such as 600, or requests per milliseconds, such as 5/1000ms, got ${JSON.stringify(text)}`,
    );
  }
  return perMs === undefined ? Number(requests) : { requests: Number(requests), perMs: Number(perMs) };
};

const parseLatency = (text: string | undefined): Latency => {
  if (text === undefined) {
    return 0;
  }
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (min === undefined || (max !== undefined && Number(max) < Number(min))) {
    throw new UsageError(
      `--latency must be milliseconds, such as 250, or a range, such as 20-80, got ${JSON.stringify(text)}`,
    );
  }
  return max === undefined ? Number(min) : { min: Number(min), max: Number(max) };
};

const parseClock = (text: string): 'system' | 'virtual' => {
  if (text === 'system' || text === 'virtual') {
    return text;
  }
  throw new UsageError(`--clock must be system or virtual, got ${JSON.stringify(text)}`);
};

const EVERY_ORIGIN = '*';

/** Completes flags whose value is optional, so that all flags have their value. */
export const withDefaults = (args: readonly string[]): string[] =>
  args.map((arg, index) =>
    arg === '--cors' && (args[index + 1] ?? '-').startsWith('-') ? `--cors=${EVERY_ORIGIN}` : arg,
  );

const parseCors = (origins: readonly string[]): Flags['cors'] => {
  const listed = origins.filter((origin) => origin !== EVERY_ORIGIN);
  for (const origin of listed) {
    const problem = originProblem(origin);
    if (problem !== undefined) {
      throw new UsageError(`--cors ${problem}`);
    }
  }
  return listed.length < origins.length || (listed.length > 0 && listed);
};

const parseTls = (local: boolean, cert: string | undefined, key: string | undefined): Flags['tls'] => {
  if (cert !== undefined && key !== undefined) {
    return { cert, key };
  }
  if (cert !== undefined || key !== undefined) {
    const [given, missing] = cert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    throw new UsageError(`${given} needs ${missing}. For a certificate made for localhost, use --tls alone.`);
  }
  return local ? 'local' : undefined;
};

const parseToken = (token: string | undefined): string | undefined => {
  const problem = token === undefined ? undefined : tokenProblem(token);
  if (problem !== undefined) {
    throw new UsageError(`--admin-token ${problem}`);
  }
  return token;
};

const parseWatch = ({
  watch,
  data = 'demo',
  state,
}: {
  watch: boolean;
  data?: string | undefined;
  state?: string | undefined;
}) => {
  if (watch && (data === 'minimal' || data === 'demo')) {
    throw new UsageError('--watch needs --data with the path of a JSON or YAML file');
  }
  if (watch && state !== undefined) {
    throw new UsageError(
      "--watch can't be used with --state: one replaces the rows by those of --data, the other keeps them",
    );
  }
  return watch;
};

/**
 * Parses the command line.
 *
 * @throws {@link UsageError} When a flag is unknown or its value is invalid.
 */
export const parseFlags = (args: readonly string[]): Flags => {
  const { values } = parseArguments(withDefaults(args), { options: OPTIONS });
  refuseEmpty(values);
  if (values['webhook-secret'] === undefined && values.webhook.length > 0) {
    throw new UsageError('--webhook needs --webhook-secret, the secret that deliveries are signed with');
  }
  return {
    port: whole('port', values.port, DEFAULT_PORT, { max: 65_535 }),
    host: values.host,
    seed: whole('seed', values.seed, 1),
    data: values.data ?? 'demo',
    watch: parseWatch(values),
    key: values.key,
    scopes: values.scopes?.split(',').map((scope) => scope.trim()),
    rateLimit: parseRateLimit(values['rate-limit']),
    latency: parseLatency(values.latency),
    faults: values.fault.map(parseFault),
    webhooks: values.webhook,
    webhookSecret: values['webhook-secret'],
    clock: parseClock(values.clock ?? 'system'),
    state: values.state,
    adminToken: parseToken(values['admin-token']),
    worldTtl: whole('world-ttl', values['world-ttl'], undefined, { min: 1 }),
    maxWorldBytes: whole('max-world-bytes', values['max-world-bytes'], undefined, { min: 1 }),
    allowHttp: values['allow-http'],
    cors: parseCors(values.cors),
    tls: parseTls(values.tls, values['tls-cert'], values['tls-key']),
    quiet: values.quiet,
    forward: parseForward(values, OPTIONS),
  };
};
