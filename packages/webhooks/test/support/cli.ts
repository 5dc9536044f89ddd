import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '@confab/internal/test-support';
import { signedRequest } from '@confab/webhooks';
import { onTestFinished, vi } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { message, secret, signature } from './receiver.ts';

export const options = { secret, signature };
/** The flag for {@link options}. */
export const header = ['--header', 'x-sig'];

/** Posts a signed delivery. */
export const deliver = async (url: string, payload: object = message, signing = options) =>
  fetch(await signedRequest(url, payload as typeof message, signing));

/** Starts a command in this process, with standard input. */
const startCommand = (args: readonly string[], input = '', env?: Record<string, string>) => {
  const lines: string[] = [];
  const stop = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<void>();
  const warn = vi.fn();
  const io = {
    env: env ?? { CONFAB_WEBHOOK_SECRET: secret },
    print(line: string) {
      lines.push(line);
      printed.resolve();
    },
    stdin: async () => new TextEncoder().encode(input),
    stopped: () => stop.promise,
  };
  return { lines, warn, printed: printed.promise, stop: stop.resolve, code: run(args, io, warn) };
};

/** Runs a command, and resolves to its exit code and what it printed. */
export const runCommand = async (args: readonly string[], input?: string, env?: Record<string, string>) => {
  const { code, lines, warn } = startCommand(args, input, env);
  return { code: await code, out: lines.join('\n'), error: warn.mock.calls.flat().join('\n') };
};

/** Starts `listen`, and resolves to its URL and the lines that it prints. The first is its address. */
export const startListening = async (...args: string[]) => {
  const { lines, printed, stop, code } = startCommand(['listen', '--port', '0', ...args]);
  onTestFinished(async () => {
    stop();
    await code;
  });
  await printed;
  return { url: (lines[0] ?? '').replace('listening on ', ''), lines, stop, code };
};

/** Starts an app that records its requests, and responds with a status. If the status is negative, it never responds. */
export const startApp = async (status = 200) => {
  const requests: { readonly headers: Headers; readonly body: string }[] = [];
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const url = await listen(async (request, response) => {
    response.on('close', closed.resolve);
    const headers = new Headers();
    for (const [name, [value = ''] = []] of Object.entries(request.headersDistinct)) {
      headers.append(name, value);
    }
    requests.push({ headers, body: await text(request) });
    arrived.resolve();
    if (status > 0) {
      response.writeHead(status).end('the app\nresponds');
    }
  });
  return { url: `${url}/webhooks`, requests, arrived: arrived.promise, closed: closed.promise };
};

/** Creates a file in a folder of its own, which the end of the test removes. */
export const fileWith = async (content: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'confab-webhooks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'deliveries.jsonl');
  await writeFile(file, content);
  return file;
};
