import { operations } from '@confab/client/contract';
import { isLoopback } from '@confab/internal';
import { pluralize } from '../errors/check.ts';
import type { Flags } from './flags.ts';

/** The properties of a started server that the banner shows. */
interface Started {
  readonly url: string;
  readonly key: string;
  readonly leads: number;
  /** How many faults its data plans. */
  readonly faults: number;
  /** Whether a file of `--state` was created for this run. */
  readonly isStateNew: boolean;
  /** The certificate that clients must trust; `undefined` if it is the user's own, or there is none. */
  readonly caFile: string | undefined;
}

const PHONE = '+5511987654321';

/** Quotes a word of a command line for a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curlData = (body: unknown): string => `-d ${quote(JSON.stringify(body))}`;

const linesIf = (condition: boolean, ...lines: string[]): string[] => (condition ? lines : []);

/** Whether other machines can reach the server. */
export const isExposed = ({ host }: Flags): boolean => !isLoopback(host);

/** Whether other machines can send requests only through a proxy that ends TLS. */
const needsTls = (flags: Flags): boolean =>
  isExposed(flags) && !flags.tls && flags.tlsCert === undefined && !flags.allowHttp;

/** Whether `/__mock/*` can be called without a token. */
const isOpen = (flags: Flags): boolean => flags.adminToken === undefined && !isExposed(flags);

/** Calls that the key may make, ready to paste into a shell. */
const callsToTry = (flags: Flags, { url, key, caFile }: Started): string[] => {
  const curl = caFile === undefined ? 'curl' : `curl --cacert ${quote(caFile)}`;
  const withKey = `${curl} -H ${quote(`X-API-Key: ${key}`)}`;
  const { 'leads.list': list, 'leads.create': create } = operations;
  const isAllowed = ({ scope }: { readonly scope: string }) => flags.scopes?.includes(scope) ?? true;
  return [
    ...linesIf(isAllowed(list), `${withKey} ${quote(`${url}${list.path}?limit=2`)}`),
    ...linesIf(isAllowed(create), `${withKey} ${curlData({ phone: PHONE })} ${quote(url + create.path)}`),
    ...linesIf(
      isOpen(flags),
      `${curl} ${curlData({ phone: PHONE, body: 'Hello' })} ${quote(`${url}/__mock/inbound`)}`,
    ),
  ];
};

/** Renders a banner; with `--quiet`, only the lines for scripts. */
export const renderBanner = (
  { quiet }: Flags,
  forScripts: readonly (string | undefined)[],
  lines: readonly string[],
): string =>
  quiet
    ? forScripts.map((line) => (line === undefined ? '' : `${line}\n`)).join('')
    : ['', ...lines, '', ''].map((line) => (line === '' ? line : `  ${line}`)).join('\n');

/** The line about the certificate to trust, if there is one. */
export const caLine = (caFile: string | undefined): string[] =>
  linesIf(caFile !== undefined, `CA        ${caFile} (trust it with NODE_EXTRA_CA_CERTS)`);

/** The first lines of the command: the base URL, the key, and calls to try. */
export const banner = (flags: Flags, started: Started): string => {
  const { url, key, leads, faults, isStateNew, caFile } = started;
  const planned = faults === 0 ? '' : ` and ${pluralize(faults, 'planned fault')}`;
  const calls = callsToTry(flags, started);
  // A user who misspelled the name of an existing file must see that the mock starts with a new one.
  const origin = isStateNew ? `new file, starts with ${flags.data} data` : 'loaded';
  const lines = [
    `confab-mock is running with ${pluralize(leads, 'lead')}${planned}, on the ${flags.clock} clock.`,
    '',
    `Base URL  ${url}`,
    `API key   ${key}`,
    ...caLine(caFile),
    `OpenAPI   ${url}/openapi.json`,
    ...linesIf(isOpen(flags) || flags.adminToken !== undefined, `Inspector ${url}/__mock/`),
    ...linesIf(flags.state !== undefined, `State     ${flags.state} (${origin})`),
    '',
    ...linesIf(
      isExposed(flags) && flags.key === undefined,
      'The key is random and valid for this run only, because other machines can reach this server. Set one with --key.',
      '',
    ),
    ...linesIf(
      isExposed(flags) && flags.adminToken === undefined,
      'The inspector and the control endpoints are closed, because other machines can reach this server. Open them with --admin-token.',
      '',
    ),
    ...linesIf(
      needsTls(flags),
      'Requests to any host other than localhost must come over TLS. Behind a proxy that ends it, add --allow-http.',
      '',
    ),
    ...linesIf(calls.length > 0, 'Try:', ...calls.map((line) => `  ${line}`), ''),
    'Press Ctrl+C to stop.',
  ];
  return renderBanner(flags, [url, key, caFile], lines);
};
