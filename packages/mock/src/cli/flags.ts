import { isLoopback } from '@confab/internal';
import { integerFlag, UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { MockError } from '../errors/mock-error.ts';
import type { ServeOptions } from '../server/serve-options.ts';
import type { Fault, FaultPlan, FaultTarget } from '../world/faults/fault.ts';
import { planFaults, RequestFaults } from '../world/faults/request-faults.ts';
import { KEY_FORMAT, KEY_RULE } from '../world/keys/keys.ts';
import type { RateLimit } from '../world/keys/rate-limit-option.ts';
import type { MockOptions } from '../world/options.ts';
import { Random } from '../world/store/random.ts';
import type { Latency } from '../world/world.ts';
import { loadFrom, parseJson, readRequired } from './files.ts';

/** The values of all flags. */
export interface Flags
  extends Pick<ServeOptions, 'allowHttp' | 'cors' | 'adminToken' | 'worldTtl'>,
    Pick<MockOptions, 'seed' | 'rateLimit' | 'latency'> {
  readonly port: number;
  readonly host: string;
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly quiet?: boolean;
  /** The path of a JSON file with options of the mock. */
  readonly config?: string;
  /** `minimal`, `demo`, or the path of a JSON or YAML file. */
  readonly data: string;
  readonly watch?: boolean;
  readonly state?: string;
  readonly key?: string;
  readonly scopes?: readonly string[];
  readonly clock: 'system' | 'virtual';
  readonly fault?: readonly FaultPlan[];
  readonly webhook?: readonly string[];
  readonly webhookSecret?: string;
  /** The base URL of the service to forward requests to, in place of a mock. */
  readonly forward?: string;
  readonly forwardKey?: string;
  readonly record?: string;
  readonly force?: boolean;
  readonly keepPersonalData?: boolean;
}

const parseRateLimit = (text: string): number | RateLimit => {
  const [, requests, perMs] = /^(\d+)(?:\/(\d+)ms)?$/.exec(text) ?? [];
  if (requests === undefined) {
    throw new InvalidArgumentError(
      'It must be requests per minute, such as 600, or requests per milliseconds, such as 5/1000ms.',
    );
  }
  return perMs === undefined ? Number(requests) : { requests: Number(requests), perMs: Number(perMs) };
};

const parseLatency = (text: string): Latency => {
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (min === undefined) {
    throw new InvalidArgumentError('It must be milliseconds, such as 250, or a range, such as 20-80.');
  }
  return max === undefined ? Number(min) : { min: Number(min), max: Number(max) };
};

const FAULT =
  '<operation or *>:<status, 250ms, error, hang, truncate or stall>[:<probability>], or a JSON file with a list of faults';

/** Reads faults from a JSON file, as in the `faults` of data. They are checked here, so that the message names the file. */
const readFaults = (path: string): readonly FaultPlan[] => {
  const plans = parseJson(path, readRequired('--fault must be the path of a JSON file', path)) as FaultPlan[];
  loadFrom(path, () => planFaults(new RequestFaults(new Random(1)), plans, 'faults'));
  return plans;
};

/**
 * Parses `leads.create:503`, `*:hang:0.05`, `leads.list:250ms` or `faults.json`. The mock checks the operation, and
 * suggests a known one.
 */
const parseFaults = (text: string): readonly FaultPlan[] => {
  if (/\.json$/i.test(text)) {
    return readFaults(text);
  }
  const format =
    /^(?<operation>[^:]+):(?:(?<status>\d{3})|(?<delayMs>\d+)ms|(?<network>error|hang|truncate|stall))(?::(?<probability>[\d.]+))?$/;
  const { operation, status, delayMs, network, probability } = format.exec(text)?.groups ?? {};
  if (operation === undefined) {
    throw new InvalidArgumentError(`It must be ${FAULT}.`);
  }
  const toNumber = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  const fault = {
    status: toNumber(status),
    delayMs: toNumber(delayMs),
    network: network as Fault['network'],
    probability: toNumber(probability),
  };
  return [{ operation: operation as FaultTarget, fault, once: false }];
};

/** Checks a base URL. The message does not quote it: a user who mixes up the flags may have passed a key. */
export const checkServiceUrl = (text: string, flag: string): string => {
  const url = URL.parse(text);
  if (!/^https?:/.test(url?.protocol ?? '') || url?.username || url?.password || /[?#]/.test(text)) {
    throw new UsageError(
      `${flag} must be the base URL of the service, without a query or fragment, such as https://api.example.com. It must not contain a user name or password.`,
    );
  }
  return text;
};

/** Checks a key. The message does not quote it. */
export const checkKey = (key: string, flag: string): string => {
  if (!KEY_FORMAT.test(key)) {
    throw new UsageError(`${flag} ${KEY_RULE}`);
  }
  return key;
};

/** Adds an origin to those of earlier flags; `*` allows every origin. */
const addOrigin = (origin: string, before: true | readonly string[] = []): true | readonly string[] =>
  origin === '*' || before === true ? true : [...before, origin];

/** Adds the values of a repeatable flag to those of earlier flags. */
const collect =
  <Value>(parse: (text: string) => readonly Value[]) =>
  (text: string, before: readonly Value[] = []): readonly Value[] => [...before, ...parse(text)];

/** Adds the flags of the server to a program. `serve()` and `createMock()` check most of the values. */
export const addFlags = (program: Command): Command => {
  program
    .optionsGroup('Server:')
    .option('-p, --port <n>', 'port to listen on; 0 picks a free one', integerFlag(0, 65_535), 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-http', 'accept plain HTTP from other machines too')
    .option('--tls', 'serve over HTTPS with a certificate made for localhost, and print the file of its CA')
    .option('--tls-cert <file>', 'certificate of your own, in PEM')
    .option('--tls-key <file>', 'private key of that certificate, in PEM')
    .option('-q, --quiet', 'print only the base URL and the key, and with --tls the file of the CA');
  const shared = program.options.length;
  program
    .addOption(
      new Option('--cors [origin]', 'let pages of this origin call the API, or of every origin; repeatable')
        .preset('*')
        .argParser(addOrigin),
    )
    .option('--admin-token <token>', 'x-admin-token that requests to /__mock/* must send')
    .option('--world-ttl <ms>', 'delete worlds after this long without use (default: 600000)', integerFlag(1))
    .optionsGroup('Data:')
    .option('--seed <n>', 'the same seed gives the same ids and key (default: 1)', integerFlag(0))
    .option('--data <name>', 'minimal, demo, or a JSON or YAML file', 'demo')
    .addOption(new Option('--watch', 'load the file of --data again when it changes').conflicts('state'))
    .option(
      '--state <file>',
      'load rows and faults from this file, and save them; a new file starts with --data',
    )
    .optionsGroup('Behavior:')
    .option('--config <file>', 'JSON file with options of createMock, as probe writes it; flags override it')
    .option(
      '--key <key>',
      'the only valid API key (default: from the seed; beyond loopback, random)',
      (text) => checkKey(text, '--key'),
    )
    .option('--scopes <a,b>', 'scopes of the key (default: all)', (text) => text.split(/ *, */))
    .option('--rate-limit <n>', 'requests per minute, or <n>/<ms>ms (default: 600)', parseRateLimit)
    .option('--latency <ms>', 'milliseconds per request, or <min>-<max> (default: 0)', parseLatency)
    .option('--fault <spec>', `${FAULT}; repeatable`, collect(parseFaults))
    .addOption(
      new Option('--clock <name>', 'clock to follow').choices(['system', 'virtual']).default('system'),
    )
    .option(
      '--webhook <url>',
      'deliver events to this URL; repeatable',
      collect((url) => [url]),
    )
    .option('--webhook-secret <secret>', 'secret that deliveries are signed with');
  const mockFlags = program.options.slice(shared).map((option) => option.attributeName());
  return program
    .optionsGroup('Proxy:')
    .addOption(
      new Option('--forward <url>', 'pass requests on to this service, and report where it differs')
        .argParser((text) => checkServiceUrl(text, '--forward'))
        .conflicts(mockFlags),
    )
    .option('--forward-key <key>', "send this key to the service, not the caller's", (text) =>
      checkKey(text, '--forward-key'),
    )
    .option(
      '--record <file>',
      'write a recording of the service for --data; personal values become stand-ins',
    )
    .option('--force', 'let --record replace an existing file')
    .option('--keep-personal-data', 'let --record keep personal values; keys never');
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Flags that need a second flag. */
const NEEDS: readonly (readonly [keyof Flags, keyof Flags])[] = [
  ['tlsCert', 'tlsKey'],
  ['tlsKey', 'tlsCert'],
  ['webhook', 'webhookSecret'],
  ['forwardKey', 'forward'],
  ['record', 'forward'],
  ['force', 'record'],
  ['keepPersonalData', 'record'],
];

/** Finds flags with which the key of a forwarded request would travel in plain text, or be open to other machines. */
const findProxyProblem = (
  service: string,
  { forwardKey, host, tls, tlsCert, allowHttp }: Flags,
): string | undefined => {
  const { protocol, hostname } = new URL(service);
  if (protocol === 'http:' && !isLoopback(hostname) && !allowHttp) {
    return '--forward must be an https URL, because each request carries a key. For a service in a private network, add --allow-http.';
  }
  if (!isLoopback(host) && forwardKey !== undefined) {
    return `--forward-key needs a loopback --host: at ${host}, every machine that reaches this one could use the key`;
  }
  return isLoopback(host) || tls || tlsCert !== undefined || allowHttp
    ? undefined
    : `--host ${host} needs --tls, because each request carries a key. For a private network, use --allow-http.`;
};

/**
 * Returns the flags of a program that has parsed its command line.
 *
 * @throws A {@link UsageError} when flags do not go together.
 */
export const readFlags = (program: Command): Flags => {
  const flags = program.opts<Flags>();
  for (const [flag, needed] of NEEDS) {
    if (flags[flag] !== undefined && flags[needed] === undefined) {
      throw new UsageError(`--${kebab(flag)} needs --${kebab(needed)} too. See --help.`);
    }
  }
  if (flags.watch && /^(?:minimal|demo)$/.test(flags.data)) {
    throw new UsageError('--watch needs --data with the path of a JSON or YAML file');
  }
  const problem = flags.forward && findProxyProblem(flags.forward, flags);
  if (problem) {
    throw new UsageError(problem);
  }
  return flags;
};

/** Turns a MockError into a UsageError that names the flags. Any other error is a bug, and is returned unchanged. */
export const toUsageError = (error: unknown, flags: Flags): unknown => {
  if (!(error instanceof MockError)) {
    return error;
  }
  const words = error.message
    .replace('`tls`', '--tls-cert and --tls-key')
    .replace('`endpoint.url`', '--webhook')
    .replace('`endpoint.secret`', '--webhook-secret')
    .replace(/`(\w+)([.\w]*)`/g, (option, name: string, field: string) =>
      Object.hasOwn(flags, name) ? `--${kebab(name)}${field}` : option,
    );
  return new UsageError(words);
};
