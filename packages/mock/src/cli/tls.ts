import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from '@confab/internal';
import type { TlsOptions } from '../http/http-server.ts';
import { readRequired } from './files.ts';
import type { Flags } from './flags.ts';

/** The certificate of the command's server. */
export interface CommandTls {
  readonly options: TlsOptions;
  /** The file for `NODE_EXTRA_CA_CERTS`; `undefined` with the user's own certificate. */
  readonly caFile: string | undefined;
  /** Deletes `caFile`. */
  end(): void;
}

const read = (flag: string, path: string): string =>
  readRequired(`${flag} must be the path of a PEM file`, path);

/**
 * Reads the certificate that the flags name, or creates one for this machine; `undefined` without TLS.
 *
 * @throws A {@link UsageError} when a file does not exist or can't be read.
 */
export const openTls = async ({ tls, tlsCert, tlsKey, host }: Flags): Promise<CommandTls | undefined> => {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const options = { cert: read('--tls-cert', tlsCert), key: read('--tls-key', tlsKey) };
    return { options, caFile: undefined, end: () => {} };
  }
  if (!tls) {
    return undefined;
  }
  // Loaded late: the library that writes certificates is large.
  const { createLocalCertificate } = await import('./local-certificate.ts');
  const { ca, ...options } = await createLocalCertificate(isLoopback(host) ? [] : [hostname(), host]);
  const folder = mkdtempSync(join(tmpdir(), 'confab-mock-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  return { options, caFile, end: () => rmSync(folder, { recursive: true, force: true }) };
};
