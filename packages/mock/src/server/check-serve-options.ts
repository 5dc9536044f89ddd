import { objectOf, optionProblem, typeName } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import { integerFrom, isBoolean, isFunction, must, refuse } from '../errors/check.ts';
import { tokenProblem } from './control-access.ts';
import type { ServeOptions, TlsOptions } from './serve-options.ts';

/** Schemes of http, and those of apps, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\,*]+$/;

const WANTED = 'an origin, such as http://localhost:5173';

/** Says why a text is not an origin, to follow its name in a message; `undefined` if it is one. */
const originProblem = (text: unknown): string | undefined => {
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
const blockedPortProblem = (port: number): string | undefined =>
  BLOCKED.includes(port)
    ? `must not be ${port}: \`fetch\` and browsers refuse to connect to it. Choose another one.`
    : undefined;

/** A check by a function that says what is wrong with a string, to follow its name. */
const isTextWithout =
  (problemOf: (text: string) => string | undefined): Check =>
  (name, value) => {
    if (typeof value !== 'string') {
      return `\`${name}\` must be a string, got ${typeName(value)}`;
    }
    const problem = problemOf(value);
    return problem && `\`${name}\` ${problem}`;
  };

const isPort: Check = (name, port) => {
  const blocked = blockedPortProblem(port as number);
  return integerFrom(0, 65_535)(name, port) ?? (blocked && `\`${name}\` ${blocked}`);
};

const isCors: Check = (name, cors) => {
  const problem = Array.isArray(cors)
    ? cors.map(originProblem).find((each) => each !== undefined)
    : undefined;
  return problem === undefined
    ? must(
        (value) => Array.isArray(value) || typeof value === 'boolean',
        'true for every origin, or an array of origins',
      )(name, cors)
    : `\`${name}\` must be an array of origins: every entry ${problem}`;
};

const isPem: Check = (name, pem) => {
  if (!(typeof pem === 'string' || pem instanceof Uint8Array)) {
    return `\`${name}\` must be the PEM text of a file, got ${typeName(pem)}`;
  }
  // For a path, the error of OpenSSL does not explain the mistake.
  return typeof pem === 'string' && !pem.includes('-----BEGIN')
    ? `\`${name}\` must be the PEM text of a file, not its path or other text`
    : undefined;
};

const positive = (unit: string): Check =>
  must((value) => typeof value === 'number' && value > 0, `${unit} (more than 0)`);

const CHECKS: Checks<ServeOptions> = {
  port: isPort,
  // node:http would listen on every address.
  host: isTextWithout((host) =>
    host.trim() === ''
      ? 'must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.'
      : undefined,
  ),
  tls: objectOf<TlsOptions>('an object', { cert: isPem, key: isPem }, ['cert', 'key']),
  allowHttp: isBoolean,
  cors: isCors,
  adminToken: isTextWithout(tokenProblem),
  worldTtl: positive('milliseconds'),
  maxWorldBytes: positive('bytes'),
  onRequest: isFunction,
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void =>
  refuse(optionProblem('option of serve()', options, CHECKS));
