import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback, listenProblem } from '@confab/internal';
import { parseFlags, UsageError } from '@confab/internal/cli';
import { chunksOf, writeResponse } from '../adapters/node-request.ts';
import { readBody } from '../body.ts';
import type { WebhookResponse } from '../receive.ts';
import { webhookResponse } from '../receive.ts';
import { MIB } from '../settings.ts';
import type { Command, Io } from './command.ts';
import { secretFlags, secretFrom, signatureFlags } from './flags.ts';
import type { Inspect, Verdict } from './inspect.ts';
import { createDetecting, createVerifying, verdictOf } from './inspect.ts';
import type { HeaderLines } from './post.ts';
import { describeFailure, describeResult, post, secondsFrom, timeoutFlags, urlFrom } from './post.ts';
import { openRecording, record } from './recording.ts';
import { signatureFrom } from './signature-from.ts';

/** The app that deliveries are forwarded to. */
interface App {
  readonly url: URL;
  /** What `listen` adds to the header `Via`, which tells a delivery of its own that comes back: RFC 9110, section 7.6.3. */
  readonly via: string;
  /** Seconds that it may take to respond. */
  readonly seconds: number;
  /** Aborts when the user stops `listen`, because the app may hang. */
  readonly signal: AbortSignal;
}

/** Where genuine deliveries go. */
interface Destinations {
  readonly app: App | undefined;
  /** The name of the file of the recording. */
  readonly recording: string | undefined;
}

const headerLines = ({ rawHeaders }: IncomingMessage): HeaderLines =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ]);

/** The code of a refusal is in the body, as in the responses of a receiver. */
const responseOf = ({ status, code }: Pick<Verdict, 'status' | 'code'>): WebhookResponse =>
  webhookResponse(status, code === undefined ? { ok: true } : { error: code });

const APP_FAILED = responseOf({ status: 502, code: 'NO_RESPONSE_FROM_APP' });

const loopOf = ({ url }: App): Verdict => ({
  genuine: false,
  status: 508,
  code: 'FORWARDED_TO_ITSELF',
  summary: `FORWARDED_TO_ITSELF: --forward-to ${url.origin} leads back to this command. Pass the URL of your app.`,
});

/** Sends the delivery to the app. The sender gets the app's response, so it delivers again if the app fails. */
const forward = async (
  { url, via, ...patience }: App,
  headers: HeaderLines,
  body: Uint8Array,
): Promise<{ response: WebhookResponse; line: string }> => {
  try {
    const result = await post(url, [...headers, ['Via', via]], body, patience);
    // A server cannot respond with less than 200, such as 101, which would leave the sender waiting.
    const response =
      result.status < 200 ? APP_FAILED : { status: result.status, headers: {}, body: result.body };
    return { response, line: `-> ${describeResult(result)}` };
  } catch (error) {
    const line = patience.signal.aborted
      ? `-> stopped before ${url.origin} responded`
      : `-> ${describeFailure(url, error, patience.seconds)}`;
    return { response: APP_FAILED, line };
  }
};

/** Prints a delivery after its response is known, because the line starts with the status that the sender gets. */
const printVerdict = (io: Io, { notes = [], summary }: Verdict, status: number) => {
  for (const note of notes) {
    io.print(note);
  }
  if (summary !== undefined) {
    io.print(`${status} ${summary}`);
  }
};

const createListener = (inspect: Inspect, { app, recording }: Destinations, io: Io): RequestListener => {
  const handle = async (request: IncomingMessage) => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    const rules = {
      maxBodyBytes: MIB,
      contentLength: request.headers['content-length'],
    };
    const body = await readBody(chunksOf(request), rules);
    const cameBack = app !== undefined && request.headers.via?.includes(app.via);
    const verdict = cameBack ? loopOf(app) : await inspect(body, request.headers);
    const { genuine } = verdict;
    const headers = headerLines(request);
    if (genuine && recording !== undefined) {
      await record(recording, headers, body);
    }
    if (!genuine || app === undefined) {
      printVerdict(io, verdict, verdict.status);
      return responseOf(verdict);
    }
    const { response, line } = await forward(app, headers, body);
    printVerdict(io, verdict, response.status);
    io.print(line);
    return response;
  };

  return async (request, response) => {
    try {
      writeResponse(request, response, await handle(request));
    } catch (error) {
      const verdict = verdictOf(error);
      writeResponse(request, response, responseOf(verdict));
      printVerdict(io, verdict, verdict.status);
    }
  };
};

const portFrom = (text: string): number => {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) {
    return port;
  }
  throw new UsageError(`--port must be a whole number from 0 to 65535, got ${JSON.stringify(text)}.`);
};

/** Listens on every address of the machine, including the loopback. */
const isWildcard = (host: string): boolean => /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);

const isLocal = (host: string): boolean => isLoopback(host) || isWildcard(host);

/**
 * Parses the URL of the app.
 *
 * @throws {@link UsageError} When it is invalid, or plainly the address of the listener. `Via` finds other spellings of it.
 */
const forwardFrom = (text: string, { host, port }: { host: string; port: number }): URL => {
  const url = urlFrom(text, '--forward-to');
  const targetPort = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (targetPort === port && (url.hostname === host || (isLocal(url.hostname) && isLocal(host)))) {
    throw new UsageError(
      `--forward-to ${url.origin} is the address that listen itself uses. Pass the URL of your app, or another --port.`,
    );
  }
  return url;
};

/** Receives deliveries on this machine until the user stops it. */
export const listen: Command = async (args, io) => {
  const { values } = parseFlags(args, {
    options: {
      ...signatureFlags,
      ...secretFlags,
      ...timeoutFlags,
      port: { type: 'string', default: '3000' },
      host: { type: 'string', default: '127.0.0.1' },
      'forward-to': { type: 'string' },
      record: { type: 'string' },
    },
  });
  const { host, record: recording, 'forward-to': target } = values;
  const address = { port: portFrom(values.port), host };
  const forwardTo = target === undefined ? undefined : forwardFrom(target, address);
  if (forwardTo === undefined && values.timeout !== undefined) {
    throw new UsageError('--timeout needs --forward-to, because it limits the response of your app.');
  }
  const seconds = secondsFrom(values);
  // If any flag describes the signature, a missing --header is a mistake, which signatureFrom() reports.
  const detects = Object.keys(signatureFlags).every(
    (flag) => values[flag as keyof typeof signatureFlags] === undefined,
  );
  const signature = detects ? undefined : signatureFrom(values);
  const secret = secretFrom(values, io);
  const inspect = signature === undefined ? createDetecting(secret) : createVerifying(secret, signature);
  if (recording !== undefined) {
    // Reports a file that is not writable now, instead of at the first delivery.
    await openRecording(recording);
  }
  const stopping = new AbortController();
  const via = `1.1 confab-webhooks-${randomUUID()}`;
  const app = forwardTo && { url: forwardTo, via, seconds, signal: stopping.signal };
  const server = createServer(createListener(inspect, { app, recording }, io)).listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(listenProblem(error, address, { port: '--port', host: '--host' }));
  }
  // Whoever reads the address may stop the command at once.
  const stopped = io.stopped();
  const { address: ip, port, family } = server.address() as AddressInfo;
  io.print(`listening on http://${family === 'IPv6' ? `[${ip}]` : ip}:${port}`);
  if (detects) {
    io.print('no --header: searching each delivery for its signature');
  }
  await stopped;
  stopping.abort();
  server.close();
  server.closeAllConnections();
  return 0;
};
