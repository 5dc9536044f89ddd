import { isBoolean, isFunction, objectOf, optionProblem, typeName } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import {
  checkThat,
  formatValue,
  integerBetween,
  isAdminToken,
  isString,
  positive,
  throwIfInvalid,
} from '../errors/check.ts';
import type { TlsOptions } from '../http/http-server.ts';
import type { ServeOptions } from './serve-options.ts';

/** An origin of a web page, or of an app, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\,*]+$/;

/** Returns why a text is not an origin, to follow its name in a message; `undefined` if it is an origin. */
const originProblem = (text: string): string | undefined => {
  const parsed = URL.parse(text)?.origin ?? 'null';
  // `URL` has no origin for app schemes.
  if (ORIGIN.test(text) && (parsed === 'null' ? !/^https?:/.test(text) : parsed === text)) {
    return undefined;
  }
  const hint = parsed === 'null' ? '.' : `. Did you mean ${parsed}?`;
  return `must be an origin, such as http://localhost:5173, got ${formatValue(text)}${hint}`;
};

const isHost: Check = (name, host) =>
  // With an empty host, node:http would listen on every address.
  typeof host === 'string' && host.trim() === ''
    ? `\`${name}\` must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.`
    : isString(name, host);

const isCors: Check = (name, cors) => {
  if (!Array.isArray(cors)) {
    const words = 'true for every origin, or an array of origins';
    return checkThat((value) => typeof value === 'boolean', words)(name, cors);
  }
  const problem = cors.map(originProblem).find((each) => each !== undefined);
  return problem && `\`${name}\` must be an array of origins: every entry ${problem}`;
};

/** The message does not quote the text: it may be a private key. */
const isPem: Check = (name, pem) =>
  pem instanceof Uint8Array || (typeof pem === 'string' && pem.includes('-----BEGIN'))
    ? undefined
    : `\`${name}\` must be the PEM text of a file, not its path, got ${typeName(pem)}.`;

const CHECKS: Checks<ServeOptions> = {
  port: integerBetween(0, 65_535),
  host: isHost,
  tls: objectOf<TlsOptions>('an object', { cert: isPem, key: isPem }, ['cert', 'key']),
  allowHttp: isBoolean,
  cors: isCors,
  adminToken: isAdminToken,
  worldTtl: positive('milliseconds'),
  onRequest: isFunction,
};

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void =>
  throwIfInvalid(optionProblem('serve() option', options, CHECKS));
