import { objectOf, optionProblem, typeName } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import { integerFrom, isBoolean, isFunction, must, refuse, shown } from '../errors/check.ts';
import type { TlsOptions } from './http-server.ts';
import type { ServeOptions } from './serve-options.ts';

/** Schemes of http, and those of apps, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\,*]+$/;

/** Says why a text is not an origin, to follow its name in a message; `undefined` if it is one. */
const originProblem = (text: string): string | undefined => {
  const parsed = URL.parse(text)?.origin ?? 'null';
  // The platform knows no origin of the schemes of apps.
  if (ORIGIN.test(text) && (parsed === 'null' ? !/^https?:/.test(text) : parsed === text)) {
    return undefined;
  }
  const hint = parsed === 'null' ? '' : `. Did you mean ${parsed}?`;
  return `must be an origin, such as http://localhost:5173, got ${shown(text)}${hint}`;
};

/** Says what is wrong with an admin token, to follow its name in a message; `undefined` if it is valid. */
const tokenProblem = (token: string): string | undefined => {
  if (token.trim() === '') {
    return 'must not be empty. Is its environment variable set?';
  }
  // As with keys: a header loses the spaces around its value, and can't hold most of Unicode.
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'must consist of visible ASCII characters without spaces, because it is sent in a header';
};

const hostProblem = (host: string): string | undefined =>
  // node:http would listen on every address.
  host.trim() === ''
    ? 'must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.'
    : undefined;

/** A check by a function that says what is wrong with a text, to follow its name. */
const textWithout =
  (problemOf: (text: string) => string | undefined): Check =>
  (name, value) => {
    const problem = typeof value === 'string' ? problemOf(value) : `must be a string, got ${typeName(value)}`;
    return problem && `\`${name}\` ${problem}`;
  };

const isCors: Check = (name, cors) => {
  if (!Array.isArray(cors)) {
    const words = 'true for every origin, or an array of origins';
    return must((value) => typeof value === 'boolean', words)(name, cors);
  }
  const problem = cors.map(originProblem).find((each) => each !== undefined);
  return problem && `\`${name}\` must be an array of origins: every entry ${problem}`;
};

/** Does not show the text: it may be a private key. */
const isPem: Check = (name, pem) =>
  pem instanceof Uint8Array || (typeof pem === 'string' && pem.includes('-----BEGIN'))
    ? undefined
    : `\`${name}\` must be the PEM text of a file, not its path, got ${typeName(pem)}`;

const positive = (unit: string): Check =>
  must((value) => typeof value === 'number' && value > 0, `${unit} (more than 0)`);

const CHECKS: Checks<ServeOptions> = {
  port: integerFrom(0, 65_535),
  host: textWithout(hostProblem),
  tls: objectOf<TlsOptions>('an object', { cert: isPem, key: isPem }, ['cert', 'key']),
  allowHttp: isBoolean,
  cors: isCors,
  adminToken: textWithout(tokenProblem),
  worldTtl: positive('milliseconds'),
  maxWorldBytes: positive('bytes'),
  onRequest: isFunction,
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void =>
  refuse(optionProblem('option of serve()', options, CHECKS));
