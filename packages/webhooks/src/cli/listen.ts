import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { chunksOf, writeResponse } from '../adapters/node-http.ts';
import type { Bytes } from '../body.ts';
import { DEFAULT_MAX_BODY_BYTES, decodeBody, readBody } from '../body.ts';
import { decompress } from '../decompress.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors.ts';
import { mergeSchemas, parseEvent, validateEvent } from '../event.ts';
import type { Header } from '../headers.ts';
import { listHeaders } from '../headers.ts';
import { resolveSettings } from '../options.ts';
import type { WebhookResponse } from '../receive.ts';
import { createWebhookResponse } from '../receive.ts';
import { toSecretBytes } from '../signature/secret.ts';
import { verify } from '../signature/verify.ts';
import { describeDetected, describeError } from './describe.ts';
import type { Flags, Io, ListenFlags } from './flags.ts';
import { describesSignature, resolveSecret, resolveSigning } from './flags.ts';
import { post } from './post.ts';
import type { Recorder } from './recording.ts';
import { openRecording } from './recording.ts';

/** Resolves to the signed body. If the delivery is not genuine, rejects with the reason or resolves to undefined. */
type VerifyBody = (body: Bytes, headers: readonly Header[]) => Promise<Bytes | undefined>;

/** Creates a function that verifies deliveries. Without signature flags, it detects and prints each signature. */
const createVerifyBody = (flags: Flags, io: Io): VerifyBody => {
  if (describesSignature(flags)) {
    const settings = resolveSettings(resolveSigning(flags, io));
    return async (body, headers) => (await verify(body, headers, settings)).body;
  }
  const secret = resolveSecret(flags, io);
  // An invalid secret is refused now, instead of at the first delivery.
  toSecretBytes(secret);
  return async (body, headers) => {
    const detected = await detectSignature({ headers, body, secret });
    describeDetected(detected).forEach(io.print);
    if (!detected.found) {
      return undefined;
    }
    return detected.signature.decompress ? decompress(body, headers, DEFAULT_MAX_BODY_BYTES) : body;
  };
};

/** Reads the event of a genuine delivery as a line for the terminal. */
const describeEvent = async (body: Bytes): Promise<string> => {
  const { event, data } = await validateEvent(parseEvent(decodeBody(body)), mergeSchemas({}));
  return `${event} ${JSON.stringify(data)}`;
};

/** Creates the function that handles each request: verify, record, forward, print. */
const createHandler = (
  flags: ListenFlags,
  verifyBody: VerifyBody,
  record: Recorder | undefined,
  stopped: AbortSignal,
  io: Io,
) => {
  const { forwardTo, timeout } = flags;
  // Added to forwarded deliveries, so that they are recognized if they come back: RFC 9110, section 7.6.3.
  const via = `1.1 confab-webhooks-${randomUUID()}`;

  const refuse = (status: number, code: string, message: string): WebhookResponse => {
    io.print(`${status} ${code}: ${message}`);
    return createWebhookResponse(status, { error: code });
  };

  const handle = async (request: IncomingMessage): Promise<WebhookResponse> => {
    const contentLength = request.headers['content-length'];
    const rules = { maxBodyBytes: DEFAULT_MAX_BODY_BYTES, contentLength };
    const body = await readBody(chunksOf(request), rules);
    if (forwardTo !== undefined && request.headers.via?.includes(via)) {
      const problem = `--forward-to ${forwardTo.origin} leads back to this command. Pass the URL of your app.`;
      return refuse(508, 'FORWARDED_TO_ITSELF', problem);
    }
    const headers = listHeaders(request.rawHeaders);
    const signed = await verifyBody(body, headers);
    if (signed === undefined) {
      return refuse(401, 'SIGNATURE_NOT_FOUND', 'No header holds a signature of this body.');
    }
    await record?.(headers, body);
    if (forwardTo === undefined) {
      io.print(`200 ${await describeEvent(signed)}`);
      return createWebhookResponse(200, { ok: true });
    }
    // The sender gets the app's response, so it delivers again if the app fails.
    const { response, line } = await post(forwardTo, [...headers, ['Via', via]], body, timeout, stopped);
    io.print(`${response.status} ${await describeEvent(signed).catch(describeError)}`);
    io.print(`-> ${line}`);
    return response;
  };

  return async (request: IncomingMessage): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return createWebhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    try {
      return await handle(request);
    } catch (error) {
      const { status, code } = error instanceof WebhookError ? error : { status: 500, code: 'FAILED' };
      return refuse(status, code, describeError(error));
    }
  };
};

/** Each connection may hold most of a body in memory, and strangers may connect through a tunnel. */
const MAX_CONNECTIONS = 100;

/** Receives deliveries on this machine until the user stops it. */
export const listen = async (flags: ListenFlags, io: Io): Promise<void> => {
  const { host, port } = flags;
  const stopping = new AbortController();
  const verifyBody = createVerifyBody(flags, io);
  // A file that is not writable is reported now, instead of at the first delivery.
  const record = flags.record === undefined ? undefined : await openRecording(flags.record);
  const handle = createHandler(flags, verifyBody, record, stopping.signal, io);
  const server = createServer(async (request, response) =>
    writeResponse(request, response, await handle(request)),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.once('drop', () => io.print(`refused a connection: ${MAX_CONNECTIONS} are open`));
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw new UsageError(listenProblem(error, { host, port }, { port: '--port', host: '--host' }));
  }
  // Called before the address is printed, because a program that reads the address may stop the command at once.
  const stopped = io.stopped();
  const address = server.address() as AddressInfo;
  const ip = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  io.print(`listening on http://${ip}:${address.port}`);
  if (!describesSignature(flags)) {
    io.print('no --header: searching each delivery for its signature');
  }
  await stopped;
  stopping.abort();
  server.close();
  server.closeAllConnections();
};
