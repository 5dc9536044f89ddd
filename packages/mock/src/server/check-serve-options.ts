import { typeName } from '@confab/internal';
import { checkNames, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { tokenProblem } from './control-access.ts';
import type { ServeOptions } from './serve-options.ts';

/** Schemes of http, and those of apps, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\,*]+$/;

const WANTED = 'an origin, such as http://localhost:5173';

/** Says why a text is not an origin, to follow its name in a message; `undefined` if it is one. */
export const originProblem = (text: unknown): string | undefined => {
  if (typeof text !== 'string') {
    return `must be ${WANTED}, got ${typeName(text)}`;
  }
  const parsed = URL.parse(text)?.origin ?? 'null';
  // The platform knows no origin of the schemes of apps.
  if (ORIGIN.test(text) && (parsed === 'null' ? !/^https?:/.test(text) : parsed === text)) {
    return undefined;
  }
  const hint = parsed === 'null' ? '' : `. Did you mean ${parsed}?`;
  return `must be ${WANTED}, got ${JSON.stringify(text)}${hint}`;
};

/** The ports that the Fetch standard blocks, because they belong to other protocols. */
const BLOCKED: readonly number[] = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Says why no page and no `fetch` could call a server on this port, to follow its name; `undefined` if they can. */
export const blockedPortProblem = (port: number): string | undefined =>
  BLOCKED.includes(port)
    ? `must not be ${port}: \`fetch\` and browsers refuse to connect to it. Choose another one.`
    : undefined;

/** Says why a value is invalid, to follow its name in a message; `undefined` if it is valid. */
type Check = (value: unknown) => string | undefined;

const unless = (valid: boolean, problem: () => string): string | undefined => (valid ? undefined : problem());

const positive =
  (unit: string): Check =>
  (value) =>
    unless(
      typeof value === 'number' && value > 0,
      () => `must be ${unit} (more than 0), got ${shown(value)}`,
    );

const checkPem: Check = (pem) => {
  if (!(typeof pem === 'string' || pem instanceof Uint8Array)) {
    return `must be the PEM text of a file, got ${typeName(pem)}`;
  }
  // For a path, the error of OpenSSL does not explain the mistake.
  return unless(
    typeof pem !== 'string' || pem.includes('-----BEGIN'),
    () => 'must be the PEM text of a file, not its path or other text',
  );
};

const checkHost: Check = (host) => {
  if (typeof host !== 'string') {
    return `must be a host name or an IP address, got ${shown(host)}`;
  }
  // node:http would listen on every address.
  return unless(
    host.trim() !== '',
    () => 'must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.',
  );
};

const checkCors: Check = (cors) => {
  if (Array.isArray(cors)) {
    const problem = cors.map(originProblem).find((each) => each !== undefined);
    return problem === undefined ? undefined : `must be an array of origins: every entry ${problem}`;
  }
  return unless(
    typeof cors === 'boolean',
    () =>
      `must be true for every origin, or an array of origins, got ${typeof cors === 'string' ? JSON.stringify(cors) : typeName(cors)}`,
  );
};

const CHECKS: { readonly [Name in keyof ServeOptions]-?: Check } = {
  port: (port) =>
    unless(
      Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535,
      () => `must be a whole number from 0 to 65535, got ${shown(port)}`,
    ) ?? blockedPortProblem(Number(port)),
  host: checkHost,
  tls: (tls) => {
    checkNames('field of tls', tls, ['cert', 'key']);
    return undefined;
  },
  allowHttp: (given) =>
    unless(typeof given === 'boolean', () => `must be true or false, got ${typeName(given)}`),
  cors: checkCors,
  adminToken: (token) =>
    typeof token === 'string' ? tokenProblem(token) : `must be a string, got ${typeName(token)}`,
  worldTtl: positive('milliseconds'),
  maxWorldBytes: positive('bytes'),
  onRequest: (listener) =>
    unless(typeof listener === 'function', () => `must be a function, got ${typeName(listener)}`),
};

const checkAll = (values: object, checks: Readonly<Record<string, Check>>, prefix = ''): void => {
  for (const [name, check] of Object.entries(checks)) {
    const value: unknown = Reflect.get(values, name);
    const problem = value === undefined && prefix === '' ? undefined : check(value);
    if (problem !== undefined) {
      throw invalidArgument(`\`${prefix}${name}\` ${problem}`);
    }
  }
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void => {
  checkNames('option of serve()', options, Object.keys(CHECKS));
  checkAll(options, CHECKS);
  if (options.tls !== undefined) {
    checkAll(options.tls, { cert: checkPem, key: checkPem }, 'tls.');
  }
};
