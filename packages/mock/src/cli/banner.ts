import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { counted } from '../errors/check.ts';

interface BannerOptions {
  readonly url: string;
  readonly key: string;
  /** Whether the key is random, and valid for this run only. */
  readonly randomKey: boolean;
  /** What the key may do; `undefined` for everything. */
  readonly scopes: readonly string[] | undefined;
  readonly leads: number;
  readonly quiet: boolean;
  readonly clock: string;
  /** The state file, and whether it was created for this run; `undefined` without one. */
  readonly state: { readonly path: string; readonly isNew: boolean; readonly data: string } | undefined;
  /** Whether `/__mock/*` can be called without a token. */
  readonly controls: boolean;
  /** Whether a browser can open the inspector, perhaps with the admin token. */
  readonly inspector: boolean;
  /** Whether requests of other machines are accepted as they are: over TLS, or over plain HTTP if that is allowed. */
  readonly secure: boolean;
  /** The certificate that clients must trust; `undefined` if it is the user's own, or there is none. */
  readonly caFile: string | undefined;
  /** Whether other machines can reach the server. */
  readonly exposed: boolean;
}

const PHONE = '+5511987654321';

/** Quotes a word of a command line for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const data = (body: unknown): string => `-d ${quoted(JSON.stringify(body))}`;

/** Calls that the key may make, ready to paste into a shell. */
const linesToTry = ({ url, key, scopes, controls, exposed, secure, caFile }: BannerOptions): string[] => {
  const headers = [`X-API-Key: ${key}`, ...(exposed && !secure ? ['x-forwarded-proto: https'] : [])];
  const curl = caFile === undefined ? 'curl' : `curl --cacert ${quoted(caFile)}`;
  const flags = headers.map((header) => `-H ${quoted(header)}`).join(' ');
  const call = (id: OperationId, search: string, ...more: string[]): string[] => {
    const { path, scope } = operations[id];
    const allowed = scopes?.includes(scope) ?? true;
    return allowed ? [[curl, flags, ...more, quoted(url + path + search)].join(' ')] : [];
  };
  const inbound = `${curl} ${data({ phone: PHONE, body: 'Hello' })} ${quoted(`${url}/__mock/inbound`)}`;
  return [
    ...call('leads.list', '?limit=2'),
    ...call('leads.create', '', data({ phone: PHONE })),
    ...(controls ? [inbound] : []),
  ];
};

/** A new file starts with the data of `--data`: whoever misspelled the name of an existing file must see that. */
const stateLine = ({ state }: BannerOptions): string[] =>
  state === undefined
    ? []
    : [`State     ${state.path}${state.isNew ? ` (new file, starts with ${state.data} data)` : ' (loaded)'}`];

/** What the command prints first: where the server is, the key, and calls to try. */
export const banner = (options: BannerOptions): string => {
  const { url, key, randomKey, leads, quiet, clock, inspector, exposed, secure, caFile } = options;
  if (quiet) {
    return `${url}\n${key}\n${caFile === undefined ? '' : `${caFile}\n`}`;
  }
  const lines = linesToTry(options);
  return [
    '',
    `confab-mock is running with ${counted(leads, 'lead')}, on the ${clock} clock.`,
    '',
    `Base URL  ${url}`,
    `API key   ${key}`,
    ...(caFile === undefined ? [] : [`CA        ${caFile} (trust it with NODE_EXTRA_CA_CERTS)`]),
    `OpenAPI   ${url}/openapi.json`,
    ...(inspector ? [`Inspector ${url}/__mock/`] : []),
    ...stateLine(options),
    '',
    ...(randomKey
      ? [
          'The key is random and valid for this run only, because other machines can reach this server. Set one with --key.',
          '',
        ]
      : []),
    ...(exposed && !secure
      ? [
          'Requests to any host other than localhost must come over TLS, or carry x-forwarded-proto: https.',
          '',
        ]
      : []),
    ...(lines.length > 0 ? ['Try:', ...lines.map((line) => `  ${line}`), ''] : []),
    'Press Ctrl+C to stop.',
    '',
    '',
  ]
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
};
