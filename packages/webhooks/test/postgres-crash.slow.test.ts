import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPostgresServer } from '@confab/internal/test-support';
import { sign } from '@confab/webhooks';
import { postgresInbox } from '@confab/webhooks/postgres';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { data, message, secret, signature } from './support/receiver.ts';

/** How many deliveries there are. The nightly run has 5,000. */
const COUNT = Number(process.env.INBOX_DELIVERIES ?? 300);

const TIMEOUT = { timeout: 60_000 + COUNT * 200 };

/** A receiver in a process of its own, which the test kills and starts again. */
const createReceiverProcess = async (settings: { port: number } | { folder: string }) => {
  const program = fileURLToPath(new URL('./support/inbox-process.ts', import.meta.url));
  let child: ChildProcess;
  let port: Promise<number>;
  const start = () => {
    child = fork(program, [JSON.stringify(settings)], { execArgv: ['--conditions=@confab/source'] });
    port = once(child, 'message').then(([message]) => message as number);
    return port;
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  onTestFinished(kill);
  return {
    port: () => port,
    stop: kill,
    async restart() {
      await kill();
      await start();
    },
  };
};

type ReceiverProcess = Awaited<ReturnType<typeof createReceiverProcess>>;

/** Sends a delivery again and again, each time to the next receiver, until one accepts it. */
const createSender = (receivers: readonly ReceiverProcess[]) => {
  let turn = 0;
  return async (id: string) => {
    const body = JSON.stringify({ ...message, data: { ...data, body: id } });
    const headers = { ...(await sign(body, { secret, signature })), 'x-id': id };
    for (let attempt = 1; attempt <= 1_000; attempt += 1) {
      turn += 1;
      const port = await receivers[turn % receivers.length]?.port();
      const sent = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
      // A receiver that was killed does not respond.
      const status = await sent
        .then((response) => response.text().then(() => response.status))
        .catch(() => 0);
      if (status === 200) {
        return;
      }
    }
    throw new Error(`${id} was not accepted.`);
  };
};

/** Sends all deliveries, some of them three times at once, and calls `interrupt` after each. */
const sendAll = async (
  send: (id: string) => Promise<void>,
  count: number,
  interrupt: (accepted: number) => unknown,
) => {
  const ids = Array.from({ length: count }, (_, index) => `delivery-${index}`);
  const queue = ids.flatMap((id, index) => (index % 5 === 0 ? [id, id, id] : [id]));
  let accepted = 0;
  const drain = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      await send(id);
      accepted += 1;
      await interrupt(accepted);
    }
  };
  await Promise.all(Array.from({ length: 16 }, drain));
  return ids;
};

const TABLES = 'create table first (delivery text not null); create table second (delivery text not null)';
const READ = `select array(select delivery from first order by 1) as first,
  array(select delivery from second order by 1) as second, array(select key from confab_inbox) as keys`;

const expectEachOnce = (rows: readonly unknown[], ids: readonly string[]) => {
  const [{ first, second, keys }] = rows as [Record<'first' | 'second' | 'keys', string[]>];
  expect(first).toEqual(ids.toSorted());
  expect(second).toEqual(first);
  expect(keys).toHaveLength(ids.length);
};

test(
  `on Postgres, ${COUNT} deliveries take effect once each, while receivers are killed and the server restarts`,
  TIMEOUT,
  async () => {
    const server = await createPostgresServer();
    onTestFinished(server.remove);
    const connect = () => new Pool({ connectionString: server.url });
    const setUp = connect();
    await postgresInbox({ pool: setUp }).migrate();
    await setUp.query(TABLES);
    await setUp.end();
    const receivers = await Promise.all([1, 2, 3].map(() => createReceiverProcess({ port: server.port })));
    const restart = { kill: 0, server: 0 };
    const ids = await sendAll(createSender(receivers), COUNT, async (accepted) => {
      if (accepted % 150 === 0) {
        restart.server += 1;
        await server.kill();
        await server.start();
      } else if (accepted % 40 === 0) {
        restart.kill += 1;
        await receivers[restart.kill % receivers.length]?.restart();
      }
    });
    const look = connect();
    const { rows } = await look.query(READ);
    await look.end();
    expectEachOnce(rows, ids);
    expect(Math.min(restart.kill, restart.server)).toBeGreaterThan(0);
  },
);

test(
  'on a PGlite in a folder, deliveries take effect once each, while the only receiver is killed',
  TIMEOUT,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-pglite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const setUp = await PGlite.create(folder);
    await postgresInbox({ pool: setUp }).migrate();
    await setUp.exec(TABLES);
    await setUp.close();
    const receiver = await createReceiverProcess({ folder });
    const count = Math.ceil(COUNT / 3);
    const ids = await sendAll(createSender([receiver]), count, (accepted) =>
      accepted % 40 === 0 ? receiver.restart() : undefined,
    );
    await receiver.stop();
    const look = await PGlite.create(folder);
    const { rows } = await look.query(READ);
    await look.close();
    expectEachOnce(rows, ids);
  },
);
