import { typeName } from '@confab/internal';
import { checkNames, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import { tokenProblem } from './control-access.ts';
import type { ServeOptions, TlsOptions } from './serve-options.ts';

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

/** @throws {@link MockError} `INVALID_ARGUMENT`, when the value is invalid. */
type Check = (name: string, value: unknown) => void;

/** Refuses an option if there is a problem with it. */
const refuse = (name: string, problem: string | undefined): void => {
  if (problem !== undefined) {
    throw invalidArgument(`\`${name}\` ${problem}`);
  }
};

const mustBe =
  (wanted: string, isValid: (value: unknown) => boolean, show: (value: unknown) => string = shown): Check =>
  (name, value) =>
    refuse(name, isValid(value) ? undefined : `must be ${wanted}, got ${show(value)}`);

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;

const isText = (value: unknown): boolean => typeof value === 'string';

const isPort = (port: unknown): boolean =>
  Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535;

const checkPem: Check = (name, pem) => {
  const isPem = isText(pem) || pem instanceof Uint8Array;
  mustBe('the PEM text of a file', () => isPem, typeName)(name, pem);
  // For a path, the error of OpenSSL does not explain the mistake.
  if (isText(pem) && !String(pem).includes('-----BEGIN')) {
    refuse(name, 'must be the PEM text of a file, not its path or other text');
  }
};

const CHECKS: { readonly [Name in keyof ServeOptions]-?: Check } = {
  port(name, port) {
    mustBe('a whole number from 0 to 65535', isPort)(name, port);
    refuse(name, blockedPortProblem(Number(port)));
  },
  host(name, host) {
    mustBe('a host name or an IP address', isText)(name, host);
    // node:http would listen on every address.
    if (String(host).trim() === '') {
      refuse(
        name,
        'must not be empty. Leave it out for 127.0.0.1, or pass 0.0.0.0 to listen on every address.',
      );
    }
  },
  tls(_, tls) {
    checkNames('field of tls', tls, ['cert', 'key']);
    const { cert, key } = tls as TlsOptions;
    checkPem('tls.cert', cert);
    checkPem('tls.key', key);
  },
  allowHttp: mustBe('true or false', (given) => typeof given === 'boolean'),
  cors(name, cors) {
    const isList = Array.isArray(cors);
    const problem = isList ? cors.map(originProblem).find((each) => each !== undefined) : undefined;
    refuse(name, problem && `must be an array of origins: every entry ${problem}`);
    mustBe('true for every origin, or an array of origins', () => isList || typeof cors === 'boolean')(
      name,
      cors,
    );
  },
  adminToken(name, token) {
    mustBe('a string', isText, typeName)(name, token);
    refuse(name, tokenProblem(String(token)));
  },
  worldTtl: mustBe('milliseconds (more than 0)', isPositive),
  maxWorldBytes: mustBe('bytes (more than 0)', isPositive),
  onRequest: mustBe('a function', (listener) => typeof listener === 'function'),
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid. */
export const checkServeOptions = (options: ServeOptions): void => {
  checkNames('option of serve()', options, Object.keys(CHECKS));
  for (const [name, check] of Object.entries(CHECKS)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined) {
      check(name, value);
    }
  }
};
