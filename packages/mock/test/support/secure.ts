import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { createLocalCertificate } from '../../src/cli/local-certificate.ts';

let made: ReturnType<typeof createLocalCertificate> | undefined;

/** A certificate for this machine, the same for all tests of a file. */
export const certificate = () => {
  made ??= createLocalCertificate();
  return made;
};

interface SecureRequest {
  /** The certificate of an authority to trust. */
  readonly ca?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The name in the certificate to expect, if it is not that of the URL. */
  readonly servername?: string;
}

/** Sends a request over TLS, and trusts one authority only. */
export const requestOverTls = async (
  url: string,
  { body, ...options }: SecureRequest = {},
): Promise<{ status: number | undefined; body: string; headers: IncomingMessage['headers'] }> => {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, ...options }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: incoming.statusCode, headers: incoming.headers, body: await text(incoming) };
};
