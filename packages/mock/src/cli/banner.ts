import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { isLoopback } from '@confab/internal';
import { counted } from '../errors/check.ts';
import type { Flags } from './flags.ts';

/** The properties of a started server that the banner shows. */
interface Started {
  readonly url: string;
  readonly key: string;
  readonly leads: number;
  /** Whether a file of `--state` was created for this run. */
  readonly isStateNew: boolean;
  /** The certificate that clients must trust; `undefined` if it is the user's own, or there is none. */
  readonly caFile: string | undefined;
}

const PHONE = '+5511987654321';

/** Quotes a word of a command line for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const data = (body: unknown): string => `-d ${quoted(JSON.stringify(body))}`;

/** Whether other machines can reach the server. */
export const isExposed = ({ host }: Flags): boolean => !isLoopback(host);

/** Whether requests of other machines need a proxy that accepts TLS for the mock. */
const needsTls = (flags: Flags): boolean =>
  isExposed(flags) && !flags.tls && flags.tlsCert === undefined && !flags.allowHttp;

/** Whether `/__mock/*` can be called without a token. */
const isOpen = (flags: Flags): boolean => flags.adminToken === undefined && !isExposed(flags);

/** Calls that the key may make, ready to paste into a shell. */
const linesToTry = (flags: Flags, { url, key, caFile }: Started): string[] => {
  const headers = [`X-API-Key: ${key}`, ...(needsTls(flags) ? ['x-forwarded-proto: https'] : [])];
  const curl = caFile === undefined ? 'curl' : `curl --cacert ${quoted(caFile)}`;
  const withHeaders = headers.map((header) => `-H ${quoted(header)}`).join(' ');
  const call = (id: OperationId, search: string, ...more: string[]): string[] => {
    const { path, scope } = operations[id];
    const isAllowed = flags.scopes?.includes(scope) ?? true;
    return isAllowed ? [[curl, withHeaders, ...more, quoted(url + path + search)].join(' ')] : [];
  };
  const inbound = `${curl} ${data({ phone: PHONE, body: 'Hello' })} ${quoted(`${url}/__mock/inbound`)}`;
  return [
    ...call('leads.list', '?limit=2'),
    ...call('leads.create', '', data({ phone: PHONE })),
    ...(isOpen(flags) ? [inbound] : []),
  ];
};

/** Renders a banner; with `--quiet`, only what a script reads. */
export const render = (
  { quiet }: Flags,
  forScripts: readonly (string | undefined)[],
  lines: readonly string[],
): string =>
  quiet
    ? forScripts
        .filter((line) => line !== undefined)
        .join('\n')
        .concat('\n')
    : ['', ...lines, '', ''].map((line) => (line === '' ? line : `  ${line}`)).join('\n');

/** The line about the certificate to trust, if there is one. */
export const caLine = (caFile: string | undefined): string[] =>
  caFile === undefined ? [] : [`CA        ${caFile} (trust it with NODE_EXTRA_CA_CERTS)`];

/** What the command prints first: where the server is, the key, and calls to try. */
export const banner = (flags: Flags, started: Started): string => {
  const { url, key, leads, isStateNew, caFile } = started;
  const calls = linesToTry(flags, started);
  // A new file starts with the data of `--data`: whoever misspelled the name of an existing file must see that.
  const origin = isStateNew ? `new file, starts with ${flags.data} data` : 'loaded';
  const lines = [
    `confab-mock is running with ${counted(leads, 'lead')}, on the ${flags.clock} clock.`,
    '',
    `Base URL  ${url}`,
    `API key   ${key}`,
    ...caLine(caFile),
    `OpenAPI   ${url}/openapi.json`,
    ...(isOpen(flags) || flags.adminToken !== undefined ? [`Inspector ${url}/__mock/`] : []),
    ...(flags.state === undefined ? [] : [`State     ${flags.state} (${origin})`]),
    '',
    ...(isExposed(flags) && flags.key === undefined
      ? [
          'The key is random and valid for this run only, because other machines can reach this server. Set one with --key.',
          '',
        ]
      : []),
    ...(needsTls(flags)
      ? [
          'Requests to any host other than localhost must come over TLS, or carry x-forwarded-proto: https.',
          '',
        ]
      : []),
    ...(calls.length > 0 ? ['Try:', ...calls.map((line) => `  ${line}`), ''] : []),
    'Press Ctrl+C to stop.',
  ];
  return render(flags, [url, key, caFile], lines);
};
