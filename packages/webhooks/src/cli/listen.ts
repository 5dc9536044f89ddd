import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem } from '@confab/internal';
import { parseFlags, UsageError } from '@confab/internal/cli';
import { toNodeHandler } from '../adapters/node.ts';
import { chunksOf } from '../adapters/node-request.ts';
import { writeResponse } from '../adapters/write-response.ts';
import { readBody } from '../bytes/read-body.ts';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { secretBytes } from '../signature/secret.ts';
import { MIB } from '../webhooks-options.ts';
import type { Command, Io } from './command.ts';
import { describeDetected } from './detect.ts';
import { secretFlags, secretFrom, signatureFlags } from './flags.ts';
import { signatureFrom } from './signature-from.ts';

type SignatureValues = Parameters<typeof signatureFrom>[0];

/** Verifies each delivery and prints its event, or why it was refused. */
const verifier = (secret: string, values: SignatureValues, io: Io): RequestListener => {
  const webhooks = createWebhooks({ secret, signature: signatureFrom(values) });
  const printEvent = ({ event, data }: { event: string; data: unknown }) =>
    io.print(`200 ${event} ${JSON.stringify(data)}`);
  webhooks.on('message.created', printEvent);
  webhooks.onUnknown(printEvent);
  webhooks.onError(({ status, code, message }) => io.print(`${status} ${code}: ${message}`));
  return toNodeHandler(webhooks);
};

/** Finds and prints the signature format of each delivery. */
const detector = (secret: string, io: Io): RequestListener => {
  // Refuses an invalid secret now, instead of at the first delivery.
  secretBytes(secret);
  return async (request, response) => {
    let status = 200;
    try {
      const body = await readBody(chunksOf(request), { maxBodyBytes: MIB });
      const detected = await detectSignature({ headers: request.headers, body, secret });
      status = detected.found ? 200 : 401;
      for (const line of describeDetected(detected)) {
        io.print(line);
      }
    } catch (error) {
      const known = error instanceof WebhookError ? error : undefined;
      status = known?.status ?? 500;
      io.print(`${status} ${known?.code ?? 'FAILED'}: ${error instanceof Error ? error.message : error}`);
    }
    writeResponse(request, response, { status, headers: {}, body: '' });
  };
};

const portFrom = (text: string): number => {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) {
    return port;
  }
  throw new UsageError(`--port must be a whole number from 0 to 65535, got ${JSON.stringify(text)}.`);
};

/** Receives deliveries on this machine until the user stops it. */
export const listen: Command = async (args, io) => {
  const { values } = parseFlags(args, {
    options: {
      ...signatureFlags,
      ...secretFlags,
      port: { type: 'string', default: '3000' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  const secret = secretFrom(values, io);
  // If any flag describes the signature, a missing --header is a mistake, which signatureFrom() reports.
  const detects = Object.keys(signatureFlags).every(
    (flag) => values[flag as keyof typeof signatureFlags] === undefined,
  );
  const handler = detects ? detector(secret, io) : verifier(secret, values, io);
  const address = { port: portFrom(values.port), host: values.host };
  const server = createServer(handler).listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(listenProblem(error, address, { port: '--port', host: '--host' }));
  }
  const { address: ip, port, family } = server.address() as AddressInfo;
  io.print(`listening on http://${family === 'IPv6' ? `[${ip}]` : ip}:${port}`);
  if (detects) {
    io.print('no --header: searching each delivery for its signature');
  }
  await io.stopped();
  server.close();
  server.closeAllConnections();
  return 0;
};
