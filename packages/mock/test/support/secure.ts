import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { createLocalCertificate } from '../../src/cli/local-certificate.ts';

let made: ReturnType<typeof createLocalCertificate> | undefined;

/** A certificate for this machine, the same for all tests of a file. */
export const certificate = () => {
  made ??= createLocalCertificate();
  return made;
};

/** Sends a request over TLS, and trusts one authority only. */
export const requestOverTls = async (url: string, options: RequestOptions = {}) => {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, ...options }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: incoming.statusCode, body: await text(incoming) };
};
