import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';

interface BannerOptions {
  readonly url: string;
  readonly key: string;
  /** Whether it was drawn for this run. */
  readonly drawn: boolean;
  /** What the key may do; everything if it is left out. */
  readonly scopes: readonly string[] | undefined;
  readonly leads: number;
  readonly quiet: boolean;
  readonly clock: string;
  /** Whether `/__mock/*` answers without a token. */
  readonly controls: boolean;
  /** Whether other machines reach the server. */
  readonly exposed: boolean;
}

const PHONE = '+5511987654321';

/** A word of a command line, whatever a shell would make of it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const data = (body: unknown): string => `-d ${quoted(JSON.stringify(body))}`;

/** Calls that the key may make, to be pasted into a shell. */
const linesToTry = ({ url, key, scopes, controls, exposed }: BannerOptions): string[] => {
  const headers = [`X-API-Key: ${key}`, ...(exposed ? ['x-forwarded-proto: https'] : [])];
  const flags = headers.map((header) => `-H ${quoted(header)}`).join(' ');
  const call = (id: OperationId, search: string, ...more: string[]): string[] => {
    const { path, scope } = operations[id];
    const allowed = scopes?.includes(scope) ?? true;
    return allowed ? [['curl', flags, ...more, quoted(url + path + search)].join(' ')] : [];
  };
  const inbound = `curl ${data({ phone: PHONE, body: 'Hello' })} ${quoted(`${url}/__mock/inbound`)}`;
  return [
    ...call('leads.list', '?limit=2'),
    ...call('leads.create', '', data({ phone: PHONE })),
    ...(controls ? [inbound] : []),
  ];
};

/** What the command prints first: where it is, the key, and lines to try. */
export const banner = (options: BannerOptions): string => {
  const { url, key, drawn, leads, quiet, clock, controls, exposed } = options;
  if (quiet) {
    return `${url}\n${key}\n`;
  }
  const lines = linesToTry(options);
  return [
    '',
    `confab-mock, with ${leads} leads in memory, on the ${clock} clock`,
    '',
    `Base URL  ${url}`,
    `API key   ${key}`,
    `OpenAPI   ${url}/openapi.json`,
    ...(controls ? [`Controls  ${url}/__mock/`] : []),
    '',
    ...(drawn
      ? ['The key was drawn for this run, because other machines reach this server; --key sets one.', '']
      : []),
    ...(exposed
      ? [
          'Called by another name than localhost, the API answers only what came through TLS (x-forwarded-proto: https).',
          '',
        ]
      : []),
    ...(lines.length > 0 ? ['Try:', ...lines.map((line) => `  ${line}`), ''] : []),
    'Ctrl+C ends it.',
    '',
    '',
  ]
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
};
