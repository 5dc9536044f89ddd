import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback, listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { chunksOf, writeResponse } from '../adapters/node-request.ts';
import type { Bytes } from '../body.ts';
import { decodeBody, readBody } from '../body.ts';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors.ts';
import { parseEvent, schemasOf, validateEvent } from '../event.ts';
import type { WebhookResponse } from '../receive.ts';
import { webhookResponse } from '../receive.ts';
import { DEFAULT_MAX_BODY_BYTES } from '../settings.ts';
import { secretBytes } from '../signature/secret.ts';
import { describeDetected, messageOf } from './describe.ts';
import type { Flags, HeaderLines, Io } from './flags.ts';
import { describesSignature, secretFrom, signatureFrom } from './flags.ts';
import { post } from './post.ts';
import { openRecording, record } from './recording.ts';

/** What the sender gets, and what the terminal shows. */
interface Outcome {
  readonly response: WebhookResponse;
  /** The line to print after the status of the response. */
  readonly summary?: string;
}

const refusal = (status: number, code: string, summary?: string): Outcome => ({
  response: webhookResponse(status, { error: code }),
  ...(summary && { summary: `${code}: ${summary}` }),
});

/** Describes a failure, which may be one of the delivery or of this machine. */
const failure = (error: unknown): Outcome => {
  const { status, code } = error instanceof WebhookError ? error : { status: 500, code: 'FAILED' };
  return refusal(status, code, messageOf(error));
};

/** Reads the event of a genuine delivery. */
const readEvent = async (body: Bytes): Promise<Outcome> => {
  try {
    const { event, data } = await validateEvent(parseEvent(decodeBody(body)), schemasOf({}));
    return {
      response: webhookResponse(200, { ok: true }),
      summary: `${event} ${JSON.stringify(data)}`,
    };
  } catch (error) {
    return failure(error);
  }
};

/** Checks whether a delivery is genuine. `notes` are lines to print. Rejects if its signature is refused. */
type Check = (
  body: Bytes,
  headers: HeaderLines,
) => Promise<{ readonly genuine: boolean; readonly notes: readonly string[] }>;

/** Verifies each delivery; without signature flags, searches it for its signature. */
const createCheck = (flags: Flags, io: Io): Check => {
  if (!describesSignature(flags)) {
    const secret = secretFrom(flags, io);
    // Refuses an invalid secret now, instead of at the first delivery.
    secretBytes(secret);
    return async (body, headers) => {
      const detected = await detectSignature({ headers, body, secret });
      return { genuine: detected.found, notes: describeDetected(detected) };
    };
  }
  const webhooks = createWebhooks({ signature: signatureFrom(flags), secret: secretFrom(flags, io) });
  return async (body, headers) => {
    await webhooks.verify(body, headers);
    return { genuine: true, notes: [] };
  };
};

const headerLines = ({ rawHeaders }: IncomingMessage): HeaderLines =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);

/** Creates the function that handles each request: check, record, forward, print. */
const createHandler = (flags: Flags, stopped: AbortSignal, io: Io) => {
  const { forwardTo, record: recording, timeout } = flags;
  const check = createCheck(flags, io);
  // Tells a delivery of its own that comes back: RFC 9110, section 7.6.3.
  const via = `1.1 confab-webhooks-${randomUUID()}`;

  // After its response is known, because the line starts with the status that the sender gets.
  const print = ({ response, summary }: Outcome) => {
    if (summary !== undefined) {
      io.print(`${response.status} ${summary}`);
    }
    return response;
  };

  return async (request: IncomingMessage): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    try {
      const contentLength = request.headers['content-length'];
      const body = await readBody(chunksOf(request), { maxBodyBytes: DEFAULT_MAX_BODY_BYTES, contentLength });
      if (forwardTo !== undefined && request.headers.via?.includes(via)) {
        const problem = `--forward-to ${forwardTo.origin} leads back to this command. Pass the URL of your app.`;
        return print(refusal(508, 'FORWARDED_TO_ITSELF', problem));
      }
      const headers = headerLines(request);
      const { genuine, notes } = await check(body, headers);
      const outcome = genuine ? await readEvent(body) : refusal(401, 'SIGNATURE_NOT_FOUND');
      if (genuine && recording !== undefined) {
        await record(recording, headers, body);
      }
      notes.forEach(io.print);
      if (!genuine || forwardTo === undefined) {
        return print(outcome);
      }
      // The sender gets the app's response, so it delivers again if the app fails.
      const { response, line } = await post(forwardTo, [...headers, ['Via', via]], body, timeout, stopped);
      print({ ...outcome, response });
      io.print(`-> ${line}`);
      return response;
    } catch (error) {
      return print(failure(error));
    }
  };
};

/** Every address of the machine includes the loopback. */
const isLocal = (host: string): boolean => isLoopback(host) || /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);

/** Refuses the URL of an app that is plainly the address of the listener. `Via` finds other spellings of it. */
const checkForward = ({ forwardTo: app, host, port, timeout }: Flags): void => {
  if (app === undefined && timeout !== undefined) {
    throw new UsageError('--timeout needs --forward-to, because it limits the response of your app.');
  }
  if (app?.port === String(port) && isLocal(app.hostname) && isLocal(host)) {
    throw new UsageError(
      `--forward-to ${app.origin} is the address that listen itself uses. Pass the URL of your app, or another --port.`,
    );
  }
};

/** Receives deliveries on this machine until the user stops it. */
export const listen = async (flags: Flags, io: Io): Promise<void> => {
  checkForward(flags);
  const stopping = new AbortController();
  const handle = createHandler(flags, stopping.signal, io);
  if (flags.record !== undefined) {
    // Reports a file that is not writable now, instead of at the first delivery.
    await openRecording(flags.record);
  }
  const { host, port } = flags;
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
