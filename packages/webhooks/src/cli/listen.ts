import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { chunksOf, writeResponse } from '../adapters/node-request.ts';
import type { Bytes } from '../body.ts';
import { decodeBody, readBody } from '../body.ts';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors.ts';
import { parseEvent, schemasOf, validateEvent } from '../event.ts';
import { DEFAULT_MAX_BODY_BYTES } from '../options.ts';
import type { WebhookResponse } from '../receive.ts';
import { webhookResponse } from '../receive.ts';
import { secretBytes } from '../signature/secret.ts';
import { describeDetected, messageOf } from './describe.ts';
import type { Flags, HeaderLines, Io } from './flags.ts';
import { describesSignature, secretFrom, signatureFrom } from './flags.ts';
import { post } from './post.ts';
import { openRecording, record } from './recording.ts';

/** A delivery that is refused without an error of the library. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message = '') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Checks whether a delivery is genuine, and throws if it is not. */
type Check = (body: Bytes, headers: HeaderLines) => Promise<unknown>;

/** Verifies each delivery; without signature flags, searches it for its signature, and prints what it found. */
const createCheck = (flags: Flags, io: Io): Check => {
  const secret = secretFrom(flags, io);
  if (describesSignature(flags)) {
    return createWebhooks({ signature: signatureFrom(flags), secret }).verify;
  }
  // Refuses an invalid secret now, instead of at the first delivery.
  secretBytes(secret);
  return async (body, headers) => {
    const detected = await detectSignature({ headers, body, secret });
    describeDetected(detected).forEach(io.print);
    if (!detected.found) {
      throw new Refused(401, 'SIGNATURE_NOT_FOUND');
    }
  };
};

const headerLines = ({ rawHeaders }: IncomingMessage): HeaderLines =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);

/** What the sender gets, and the line that the terminal shows after the status. */
type Outcome = readonly [response: WebhookResponse, line: string];

const failure = (error: unknown): Outcome => {
  const known = error instanceof WebhookError || error instanceof Refused;
  const { status, code } = known ? error : { status: 500, code: 'FAILED' };
  return [webhookResponse(status, { error: code }), `${code}: ${messageOf(error)}`];
};

/** Reads the event of a genuine delivery. */
const readEvent = async (body: Bytes): Promise<Outcome> => {
  try {
    const { event, data } = await validateEvent(parseEvent(decodeBody(body)), schemasOf({}));
    return [webhookResponse(200, { ok: true }), `${event} ${JSON.stringify(data)}`];
  } catch (error) {
    return failure(error);
  }
};

/** Creates the function that handles each request: check, record, forward, print. */
const createHandler = (flags: Flags, stopped: AbortSignal, io: Io) => {
  const { forwardTo, record: recording, timeout } = flags;
  const check = createCheck(flags, io);
  // Tells a delivery of its own that comes back: RFC 9110, section 7.6.3.
  const via = `1.1 confab-webhooks-${randomUUID()}`;

  return async (request: IncomingMessage): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    try {
      const contentLength = request.headers['content-length'];
      const body = await readBody(chunksOf(request), { maxBodyBytes: DEFAULT_MAX_BODY_BYTES, contentLength });
      if (forwardTo !== undefined && request.headers.via?.includes(via)) {
        const problem = `--forward-to ${forwardTo.origin} leads back to this command. Pass the URL of your app.`;
        throw new Refused(508, 'FORWARDED_TO_ITSELF', problem);
      }
      const headers = headerLines(request);
      await check(body, headers);
      if (recording !== undefined) {
        await record(recording, headers, body);
      }
      const [response, line] = await readEvent(body);
      if (forwardTo === undefined) {
        io.print(`${response.status} ${line}`);
        return response;
      }
      // The sender gets the app's response, so it delivers again if the app fails.
      const forwarded = await post(forwardTo, [...headers, ['Via', via]], body, timeout, stopped);
      io.print(`${forwarded.response.status} ${line}`);
      io.print(`-> ${forwarded.line}`);
      return forwarded.response;
    } catch (error) {
      const [response, line] = failure(error);
      io.print(`${response.status} ${line}`);
      return response;
    }
  };
};

/** Receives deliveries on this machine until the user stops it. */
export const listen = async (flags: Flags, io: Io): Promise<void> => {
  const { host, port, forwardTo, timeout } = flags;
  if (forwardTo === undefined && timeout !== undefined) {
    throw new UsageError('--timeout needs --forward-to, because it limits the response of your app.');
  }
  const stopping = new AbortController();
  const handle = createHandler(flags, stopping.signal, io);
  if (flags.record !== undefined) {
    // Reports a file that is not writable now, instead of at the first delivery.
    await openRecording(flags.record);
  }
  const server = createServer(async (request, response) =>
    writeResponse(request, response, await handle(request)),
  ).listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(listenProblem(error, { host, port }, { port: '--port', host: '--host' }));
  }
  // Whoever reads the address may stop the command at once.
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
