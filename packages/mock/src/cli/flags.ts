import { closestName, isLoopback, listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { Option } from 'commander';
import { MockError } from '../errors/mock-error.ts';
import { originProblem, tokenProblem } from '../server/check-serve-options.ts';
import type { Fault, FaultTarget } from '../world/faults/fault.ts';
import { NETWORK_FAULTS } from '../world/faults/fault.ts';
import type { RateLimit } from '../world/keys/rate-limit.ts';
import type { Latency } from '../world/world.ts';

/** The values of all flags, by their names. */
export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly allowHttp?: boolean;
  /** The origins whose pages may call the API; `*` is every origin. */
  readonly cors?: readonly string[];
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly adminToken?: string;
  /** Milliseconds. */
  readonly worldTtl?: number;
  readonly maxWorldBytes?: number;
  readonly quiet?: boolean;
  /** The path of a JSON file with options of the mock. */
  readonly config?: string;
  readonly seed?: number;
  /** `minimal`, `demo`, or the path of a JSON or YAML file. */
  readonly data: string;
  readonly watch?: boolean;
  readonly state?: string;
  readonly key?: string;
  readonly scopes?: readonly string[];
  readonly clock: 'system' | 'virtual';
  readonly rateLimit?: number | RateLimit;
  readonly latency?: Latency;
  readonly fault?: readonly { readonly target: FaultTarget; readonly fault: Fault }[];
  readonly webhook?: readonly string[];
  readonly webhookSecret?: string;
  /** The base URL of a service to pass requests on to, in place of a mock. */
  readonly forward?: string;
  readonly forwardKey?: string;
  readonly record?: string;
  readonly force?: boolean;
  readonly keepPersonalData?: boolean;
}

type Parse<Value> = (text: string, flag: string) => Value;

const invalidFlag = (flag: string, wanted: string, text: string, hint = ''): UsageError =>
  new UsageError(`${flag} must be ${wanted}, got ${JSON.stringify(text)}${hint}`);

export const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER): Parse<number> =>
  (text, flag) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      const bounds = max === Number.MAX_SAFE_INTEGER ? `(${min} or more)` : `from ${min} to ${max}`;
      throw invalidFlag(flag, `a whole number ${bounds}`, text);
    }
    return value;
  };

/** Turns a function that finds problems into one that throws them. */
const checked =
  (problemOf: (text: string) => string | undefined): Parse<string> =>
  (text, flag) => {
    const problem = problemOf(text);
    if (problem !== undefined) {
      throw new UsageError(`${flag} ${problem}`);
    }
    return text;
  };

const asRateLimit: Parse<number | RateLimit> = (text, flag) => {
  const [, requests, perMs] = /^(\d+)(?:\/(\d+)ms)?$/.exec(text) ?? [];
  if (requests === undefined || Number(perMs) === 0) {
    const wanted = 'requests per minute, such as 600, or requests per milliseconds, such as 5/1000ms';
    throw invalidFlag(flag, wanted, text);
  }
  return perMs === undefined ? Number(requests) : { requests: Number(requests), perMs: Number(perMs) };
};

const asLatency: Parse<Latency> = (text, flag) => {
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (min === undefined || Number(max) < Number(min)) {
    throw invalidFlag(flag, 'milliseconds, such as 250, or a range, such as 20-80', text);
  }
  return max === undefined ? Number(min) : { min: Number(min), max: Number(max) };
};

const FAULT = '<operation or *>:<status, 250ms, error, hang, truncate or stall>[:<probability>]';

/** `leads.create:503`, `*:hang:0.05` or `leads.list:250ms`. */
const asFault: Parse<{ target: FaultTarget; fault: Fault }> = (text, flag) => {
  const [target = '', effect = '', probability = '1', ...rest] = text.split(':');
  const [, status, delayMs] = /^(?:(\d{3})|(\d+)ms)$/.exec(effect) ?? [];
  const network = NETWORK_FAULTS.find((kind) => kind === effect);
  const isKnown = (status ?? delayMs ?? network) !== undefined;
  if (!isKnown || rest.length > 0 || probability === '' || Number.isNaN(Number(probability))) {
    const meant = isKnown ? undefined : closestName(effect, NETWORK_FAULTS);
    throw invalidFlag(flag, FAULT, text, meant === undefined ? '.' : `. Did you mean ${meant}?`);
  }
  const fault = {
    ...(status !== undefined && { status: Number(status) }),
    ...(delayMs !== undefined && { delayMs: Number(delayMs) }),
    ...(network !== undefined && { network }),
    probability: Number(probability),
  };
  // The faults check the operation, and suggest a known one.
  return { target: target as FaultTarget, fault };
};

const asOrigin = checked((origin) => (origin === '*' ? undefined : originProblem(origin)));

export const urlOfService = checked((text) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) {
    // Not quoted, because whoever mixes up the flags passes a key here.
    return 'must be the base URL of the service, without a query or fragment, such as https://api.example.com';
  }
  return url.username === '' && url.password === ''
    ? undefined
    : 'must not contain a user name or password. Pass a key with --forward-key.';
});

export const asKey = checked((key) =>
  /^[\x21-\x7e]+$/.test(key) ? undefined : 'must consist of visible ASCII characters, without spaces',
);

/** A flag with a value. */
export const valued = (flags: string, description: string, parse: Parse<unknown> = (text) => text): Option =>
  new Option(flags, description).argParser((text: string) => {
    const flag = flags.replace(/^-\w, | [<[].*$/g, '');
    // What a script passes for a variable that is not set.
    if (/^(?:\s*|undefined|null)$/.test(text)) {
      const value = text.trim() === '' ? 'empty' : JSON.stringify(text);
      throw new UsageError(`${flag} must not be ${value}. Is its environment variable set?`);
    }
    return parse(text, flag);
  });

/** A flag that may be repeated. */
const repeatable = (flags: string, description: string, parse?: Parse<unknown>): Option => {
  const option = valued(flags, `${description}; repeatable`, parse);
  const { parseArg } = option;
  return option.argParser((text, before: unknown[] = []) => [...before, parseArg?.(text, undefined)]);
};

/** A flag of the mock, which a proxy does not have. */
const mockOnly = (option: Option): Option => option.conflicts('forward');

const SERVER: readonly Option[] = [
  valued('-p, --port <n>', 'port to listen on; 0 picks a free one', integer(0, 65_535)).default(4010),
  valued('--host <address>', 'address to listen on').default('127.0.0.1'),
  new Option('--allow-http', 'accept plain HTTP from other machines too'),
  new Option('--tls', 'serve over HTTPS with a certificate made for localhost, and print the file of its CA'),
  valued('--tls-cert <file>', 'certificate of your own, in PEM'),
  valued('--tls-key <file>', 'private key of that certificate, in PEM'),
  new Option('-q, --quiet', 'print only the base URL and the key, and with --tls the file of the CA'),
];

const MOCK_SERVER: readonly Option[] = [
  repeatable('--cors [origin]', 'let pages of this origin call the API, or of every origin', asOrigin).preset(
    '*',
  ),
  valued(
    '--admin-token <token>',
    'x-admin-token that requests to /__mock/* must send',
    checked(tokenProblem),
  ),
  valued('--world-ttl <ms>', 'delete worlds after this long without use (default: 600000)', integer(1)),
  valued(
    '--max-world-bytes <n>',
    'memory for all worlds together (default: a quarter of the heap limit)',
    integer(1),
  ),
];

const DATA: readonly Option[] = [
  valued('--seed <n>', 'the same seed gives the same ids and key (default: 1)', integer(0)),
  valued('--data <name>', 'minimal, demo, or a JSON or YAML file').default('demo'),
  new Option('--watch', 'load the file of --data again when it changes').conflicts('state'),
  valued(
    '--state <file>',
    'load the rows from this file, and save them to it; a new file starts with --data',
  ),
];

const BEHAVIOR: readonly Option[] = [
  valued(
    '--config <file>',
    'JSON file with options of createMock, such as the one that probe writes; flags override them',
  ),
  valued(
    '--key <key>',
    'the only valid API key (default: from the seed; random if --host is not a loopback address)',
    asKey,
  ),
  valued('--scopes <a,b>', 'scopes of the key (default: all)', (text) =>
    text.split(',').map((scope) => scope.trim()),
  ),
  valued('--rate-limit <n>', 'requests per minute, or <n>/<ms>ms (default: 600)', asRateLimit),
  valued('--latency <ms>', 'milliseconds per request, or <min>-<max> (default: 0)', asLatency),
  repeatable('--fault <spec>', FAULT, asFault),
  new Option('--clock <name>', 'the clock that the mock follows')
    .choices(['system', 'virtual'])
    .default('system'),
  repeatable('--webhook <url>', 'deliver events to this URL'),
  valued('--webhook-secret <secret>', 'secret that deliveries are signed with'),
];

const PROXY: readonly Option[] = [
  valued('--forward <url>', 'pass requests on to this service, and report where it differs', urlOfService),
  valued('--forward-key <key>', "send this key to the service, not the caller's", asKey),
  valued('--record <file>', 'write what --forward sees, for --data; personal values become stand-ins'),
  new Option('--force', 'let --record replace an existing file'),
  new Option('--keep-personal-data', 'let --record keep personal values; keys never'),
];

/** Adds the flags of the server to a program. */
export const addFlags = (program: Command): Command => {
  const add = (group: string, options: readonly Option[]) =>
    options.forEach((option) => void program.addOption(option.helpGroup(`${group}:`)));
  add('Server', SERVER);
  add('Server', MOCK_SERVER.map(mockOnly));
  add('Data', DATA.map(mockOnly));
  add('Behavior', BEHAVIOR.map(mockOnly));
  add('Proxy', PROXY);
  return program;
};

const OR_TLS = '. For a certificate made for localhost, use --tls alone.';
const SERVICE = ', the URL of the service to pass requests on to, such as --forward https://api.example.com';

/** Flags that do nothing without another one, and what to say about that one. */
const NEEDS: readonly (readonly [keyof Flags, keyof Flags, string])[] = [
  ['tlsCert', 'tlsKey', OR_TLS],
  ['tlsKey', 'tlsCert', OR_TLS],
  ['webhook', 'webhookSecret', ', the secret that deliveries are signed with'],
  ['forwardKey', 'forward', SERVICE],
  ['record', 'forward', SERVICE],
  ['force', 'record', ', the file to write'],
  ['keepPersonalData', 'record', ', the file to write'],
];

const checkProxy = ({ forward = '', forwardKey, host, tls, tlsCert, allowHttp }: Flags): void => {
  const { protocol, hostname } = new URL(forward);
  if (protocol === 'http:' && !isLoopback(hostname) && !allowHttp) {
    throw new UsageError(
      '--forward must be an https URL, because each request carries a key. For a service in a private network, add --allow-http.',
    );
  }
  if (isLoopback(host)) {
    return;
  }
  if (forwardKey !== undefined) {
    throw new UsageError(
      `--forward-key needs a loopback --host: at ${host}, every machine that reaches this one could use the key`,
    );
  }
  if (!tls && tlsCert === undefined && !allowHttp) {
    throw new UsageError(
      `--host ${host} needs --tls, because each request carries a key. For a private network, use --allow-http.`,
    );
  }
};

/**
 * Returns the flags of a program that has parsed its command line.
 *
 * @throws {@link UsageError} When two flags do not go together.
 */
export const flagsOf = (program: Command): Flags => {
  const flags = program.opts<Flags>();
  const longOf = (name: string) => program.options.find((each) => each.attributeName() === name)?.long;
  for (const [flag, needed, hint] of NEEDS) {
    if (flags[flag] !== undefined && flags[needed] === undefined) {
      throw new UsageError(`${longOf(flag)} needs ${longOf(needed)}${hint}`);
    }
  }
  if (flags.watch && /^(?:minimal|demo)$/.test(flags.data)) {
    throw new UsageError('--watch needs --data with the path of a JSON or YAML file');
  }
  if (flags.forward !== undefined) {
    checkProxy(flags);
  }
  return flags;
};

/** Turns a MockError into a UsageError that names the flags. Any other error is a bug, and is returned as it is. */
export const usageErrorOf = (error: unknown, flags: Flags): unknown => {
  if (!(error instanceof MockError)) {
    return error;
  }
  return new UsageError(
    error.code === 'CANNOT_LISTEN'
      ? listenProblem(error.cause, flags, { port: '--port', host: '--host' })
      : error.message.replace('`tls`', '--tls-cert and --tls-key'),
  );
};
