import { operations } from '@confab/client/contract';

interface BannerOptions {
  readonly url: string;
  readonly key: string;
  readonly leads: number;
  readonly quiet: boolean;
  readonly clock: string;
  /** Whether `/__mock/*` answers without a token. */
  readonly controls: boolean;
}

/** What the command prints first: where it is, the key, and lines to try. */
export const banner = ({ url, key, leads, quiet, clock, controls }: BannerOptions): string => {
  if (quiet) return `${url}\n${key}\n`;
  const list = operations['leads.list'];
  const create = operations['leads.create'];
  const inbound = controls
    ? `\n    curl -d '{"phone":"+5511987654321","body":"Hello"}' ${url}/__mock/inbound`
    : '';
  return `
  confab-mock, with ${leads} leads in memory, on the ${clock} clock

  Base URL  ${url}
  API key   ${key}

  Try:
    curl -H 'X-API-Key: ${key}' '${url}${list.path}?limit=2'
    curl -H 'X-API-Key: ${key}' -d '{"phone":"+5511987654321"}' ${url}${create.path}${inbound}

  Ctrl+C ends it.

`;
};
