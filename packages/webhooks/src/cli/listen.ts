import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
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
import { MIB } from '../settings.ts';
import { secretBytes } from '../signature/secret.ts';
import { describeDetected, messageOf } from './describe.ts';
import type { Flags, Io } from './flags.ts';
import { describesSignature, secretFrom, signatureFrom } from './flags.ts';
import type { HeaderLines } from './post.ts';
import { post } from './post.ts';
import { openRecording, record } from './recording.ts';

/** The flags of `listen`. */
export interface ListenFlags extends Flags {
  readonly port: number;
  readonly host: string;
  readonly forwardTo?: URL | undefined;
  readonly record?: string | undefined;
  readonly timeout?: number | undefined;
}

/** What `listen` found out about a delivery. */
interface Verdict {
  readonly genuine: boolean;
  /** The status of the response, unless the delivery is forwarded. */
  readonly status: number;
  /** The reason of a refusal, for the body of the response. */
  readonly code?: string | undefined;
  /** The lines to print first. */
  readonly notes?: readonly string[] | undefined;
  /** The line to print after the status that the sender gets. */
  readonly summary?: string | undefined;
}

type Inspect = (body: Bytes, headers: HeaderLines) => Promise<Verdict>;

/** Describes a failure, which may be one of the delivery or of this machine. */
const verdictOf = (error: unknown, genuine = false): Verdict => {
  const { status, code } = error instanceof WebhookError ? error : { status: 500, code: 'FAILED' };
  return { genuine, status, code, summary: `${code}: ${messageOf(error)}` };
};

/** Reads the event of a genuine delivery. */
const verdictOfEvent = async (body: Bytes): Promise<Verdict> => {
  try {
    const { event, data } = await validateEvent(parseEvent(decodeBody(body)), schemasOf({}));
    return { genuine: true, status: 200, summary: `${event} ${JSON.stringify(data)}` };
  } catch (error) {
    return verdictOf(error, true);
  }
};

/** Verifies each delivery; without signature flags, searches it for its signature. */
const inspectWith = (flags: Flags, io: Io): Inspect => {
  const signature = describesSignature(flags) ? signatureFrom(flags) : undefined;
  const secret = secretFrom(flags, io);
  if (signature === undefined) {
    // Refuses an invalid secret now, instead of at the first delivery.
    secretBytes(secret);
    return async (body, headers) => {
      const detected = await detectSignature({ headers, body, secret });
      const notes = describeDetected(detected);
      return detected.found
        ? { ...(await verdictOfEvent(body)), notes }
        : { genuine: false, status: 401, code: 'SIGNATURE_NOT_FOUND', notes };
    };
  }
  const webhooks = createWebhooks({ secret, signature });
  return async (body, headers) => {
    try {
      await webhooks.verify(body, headers);
    } catch (error) {
      return verdictOf(error);
    }
    return verdictOfEvent(body);
  };
};

const headerLines = ({ rawHeaders }: IncomingMessage): HeaderLines =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);

const responseOf = ({ status, code }: Verdict): WebhookResponse =>
  webhookResponse(status, code === undefined ? { ok: true } : { error: code });

const loopOf = (app: URL): Verdict => ({
  genuine: false,
  status: 508,
  code: 'FORWARDED_TO_ITSELF',
  summary: `FORWARDED_TO_ITSELF: --forward-to ${app.origin} leads back to this command. Pass the URL of your app.`,
});

/** Handles each request: inspect, record, forward, print. */
const createListener = (
  { forwardTo, record: recording, timeout }: ListenFlags,
  inspect: Inspect,
  stopped: AbortSignal,
  io: Io,
): RequestListener => {
  // Tells a delivery of its own that comes back: RFC 9110, section 7.6.3.
  const via = `1.1 confab-webhooks-${randomUUID()}`;

  // After its response is known, because the line starts with the status that the sender gets.
  const print = ({ notes = [], summary }: Verdict, status: number) => {
    for (const line of summary === undefined ? notes : [...notes, `${status} ${summary}`]) {
      io.print(line);
    }
  };

  /** The sender gets the app's response, so it delivers again if the app fails. */
  const forward = async (app: URL, headers: HeaderLines, body: Bytes, verdict: Verdict) => {
    const result = await post(app, [...headers, ['Via', via]], body, timeout, stopped);
    // A response below 200, such as 101, would leave the sender waiting.
    const { status = 0 } = result;
    const response: WebhookResponse =
      status < 200
        ? webhookResponse(502, { error: 'NO_RESPONSE_FROM_APP' })
        : { status, headers: {}, body: result.body };
    print(verdict, response.status);
    io.print(`-> ${result.line}`);
    return response;
  };

  const handle = async (request: IncomingMessage): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    const contentLength = request.headers['content-length'];
    const body = await readBody(chunksOf(request), { maxBodyBytes: MIB, contentLength });
    const headers = headerLines(request);
    const cameBack = forwardTo !== undefined && request.headers.via?.includes(via);
    const verdict = cameBack ? loopOf(forwardTo) : await inspect(body, headers);
    if (verdict.genuine && recording !== undefined) {
      await record(recording, headers, body);
    }
    if (verdict.genuine && forwardTo !== undefined) {
      return forward(forwardTo, headers, body, verdict);
    }
    print(verdict, verdict.status);
    return responseOf(verdict);
  };

  return async (request, response) => {
    try {
      writeResponse(request, response, await handle(request));
    } catch (error) {
      const verdict = verdictOf(error);
      writeResponse(request, response, responseOf(verdict));
      print(verdict, verdict.status);
    }
  };
};

/** Every address of the machine includes the loopback. */
const isLocal = (host: string): boolean => isLoopback(host) || /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);

/** Refuses the URL of an app that is plainly the address of the listener. `Via` finds other spellings of it. */
const checkForward = ({ forwardTo: app, host, port, timeout }: ListenFlags): void => {
  if (app === undefined) {
    if (timeout !== undefined) {
      throw new UsageError('--timeout needs --forward-to, because it limits the response of your app.');
    }
    return;
  }
  const appPort = Number(app.port) || (app.protocol === 'https:' ? 443 : 80);
  if (appPort === port && (app.hostname === host || (isLocal(app.hostname) && isLocal(host)))) {
    throw new UsageError(
      `--forward-to ${app.origin} is the address that listen itself uses. Pass the URL of your app, or another --port.`,
    );
  }
};

/** Receives deliveries on this machine until the user stops it. */
export const listen = async (flags: ListenFlags, io: Io): Promise<void> => {
  checkForward(flags);
  const inspect = inspectWith(flags, io);
  if (flags.record !== undefined) {
    // Reports a file that is not writable now, instead of at the first delivery.
    await openRecording(flags.record);
  }
  const stopping = new AbortController();
  const { host, port } = flags;
  const server = createServer(createListener(flags, inspect, stopping.signal, io)).listen({ host, port });
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
