import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';

/** The flags of a proxy in front of a real service. */
export interface ForwardFlags {
  /** The base URL of the service. */
  readonly url: string;
  /** Sent in place of the key of each request. */
  readonly key: string | undefined;
  /** The file to record to; `undefined` to record nothing. */
  readonly record: string | undefined;
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  readonly keepPersonalData: boolean;
}

/** These flags, as `parseArgs` of Node describes them. */
export const FORWARD_OPTIONS = {
  forward: { type: 'string' },
  'forward-key': { type: 'string' },
  record: { type: 'string' },
  force: { type: 'boolean', default: false },
  'keep-personal-data': { type: 'boolean', default: false },
} as const;

interface Values {
  readonly forward?: string | undefined;
  readonly 'forward-key'?: string | undefined;
  readonly record?: string | undefined;
  readonly force: boolean;
  readonly 'keep-personal-data': boolean;
  readonly host: string;
  readonly tls: boolean;
  readonly 'tls-cert'?: string | undefined;
  readonly 'allow-http': boolean;
}

/** The flags of a server, which a proxy has as well. Each of the others shapes a mock. */
const SHARED = ['port', 'host', 'allow-http', 'tls', 'tls-cert', 'tls-key', 'quiet'];

const isGiven = (value: unknown, preset: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== preset;

const refuseWithout = (values: Values): void => {
  for (const name of ['forward-key', 'record', 'force', 'keep-personal-data'] as const) {
    if (isGiven(values[name], false)) {
      throw new UsageError(
        `--${name} needs --forward, the URL of the service to pass requests on to, such as --forward https://api.example.com`,
      );
    }
  }
};

const refuseMockFlags = (values: object, options: Readonly<Record<string, object>>): void => {
  for (const [name, value] of Object.entries(values)) {
    const isOwn = SHARED.includes(name) || Object.hasOwn(FORWARD_OPTIONS, name);
    if (!isOwn && isGiven(value, Reflect.get(options[name] ?? {}, 'default'))) {
      throw new UsageError(
        `--${name} shapes a mock, and --forward starts none: the service responds. Leave out one of them.`,
      );
    }
  }
};

const checkUrl = (text: string, isHttpAllowed: boolean): void => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) {
    // Not quoted, because whoever mixes up the flags passes a key here.
    throw new UsageError(
      '--forward must be the base URL of the service, without a query or fragment, such as https://api.example.com',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--forward must not contain a user name or password. Pass a key with --forward-key.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isHttpAllowed) {
    throw new UsageError(
      '--forward must be an https URL, because each request carries a key. For a service in a private network, add --allow-http.',
    );
  }
};

const checkListening = (values: Values): void => {
  if (isLoopback(values.host)) {
    return;
  }
  if (values['forward-key'] !== undefined) {
    throw new UsageError(
      `--forward-key needs a loopback --host: at ${values.host}, every machine that reaches this one could use the key`,
    );
  }
  if (!values.tls && values['tls-cert'] === undefined && !values['allow-http']) {
    throw new UsageError(
      `--host ${values.host} needs --tls, because each request carries a key. For a private network, use --allow-http.`,
    );
  }
};

/**
 * Parses the flags of `--forward`; `undefined` without it.
 *
 * @param values The values of all flags.
 * @param options All flags, with their defaults.
 * @throws {@link UsageError} When one is invalid, or does not go together with another.
 */
export const parseForward = (
  values: Values,
  options: Readonly<Record<string, object>>,
): ForwardFlags | undefined => {
  const { forward: url, record, force } = values;
  if (url === undefined) {
    refuseWithout(values);
    return undefined;
  }
  refuseMockFlags(values, options);
  checkUrl(url, values['allow-http']);
  checkListening(values);
  const keepPersonalData = values['keep-personal-data'];
  if (record === undefined && (force || keepPersonalData)) {
    throw new UsageError(`--${force ? 'force' : 'keep-personal-data'} needs --record, the file to write`);
  }
  const key = values['forward-key'];
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('--forward-key must consist of visible ASCII characters, without spaces');
  }
  return { url, key, record, force, keepPersonalData };
};
