import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { listenTcp } from '@confab/internal/test-support';
import { Agent, fetch as undiciFetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCertificate } from '../../mock/src/cli/local-certificate.ts';
import type { Fetch } from '../src/index.ts';
import { ConnectionError } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { errorOf } from './support/error-of.ts';

const phone = '+5511987654321';

/** Starts a listener that accepts nothing, and fills its queue, so that further connections are never made. */
const startFullListener = async (): Promise<string> => {
  const program = `
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));
  `;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const port = Number(String(output));
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, 'connect')));
  return `http://127.0.0.1:${port}`;
};

test('a POST is retried after a connect timeout, and the error says that nothing was sent', async () => {
  const baseUrl = await startFullListener();
  const dispatcher = new Agent({ connect: { timeout: 300 } });
  onTestFinished(() => dispatcher.destroy());
  const fetch = (url: string, init: RequestInit) =>
    undiciFetch(url, { ...(init as Parameters<typeof undiciFetch>[1]), dispatcher });
  const confab = clientAt(baseUrl, { clock: createTestClock(), fetch: fetch as unknown as Fetch });

  const error = await errorOf(confab.leads.create({ phone }), ConnectionError);

  expect(error.message).toMatch(
    /^leads\.create was not sent: no connection to http:\S+ could be made \(UND_ERR_CONNECT_TIMEOUT: .*\), in 4 attempts\.$/,
  );
  expect(error).toMatchObject({ attempts: 4 });
});

test('the error says that the certificate is not accepted, and the call is not retried', async () => {
  const { cert, key } = await createLocalCertificate();
  let connections = 0;
  const server = createServer({ cert, key }).on('connection', () => {
    connections += 1;
  });
  const baseUrl = `https://127.0.0.1:${await listenTcp(server)}`;

  const error = await errorOf(
    clientAt(baseUrl, { clock: createTestClock() }).leads.create({ phone }),
    ConnectionError,
  );

  expect(error.message).toMatch(
    /^leads\.create was not sent: the certificate of https:\S+ is not accepted \([A-Z_]+: .*\)\.$/,
  );
  expect(connections).toBe(1);
});
