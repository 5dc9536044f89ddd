import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { eventually, listenTcp, turns } from '@confab/internal/test-support';
import type { Client, Pool } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Tx } from './support/postgres.ts';
import { openPglite, openPool, portOfServer, receiverOn } from './support/postgres.ts';

/** Stops a handler where it is until the test lets it go on. */
const createGate = () => {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: opened.resolve,
    fail: opened.reject,
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
  };
};

const down = new Error('the handler failed');

describe.each([
  ['pg', openPool],
  ['PGlite', openPglite],
])('%s', (_, open) => {
  test('redeliveries of a handled delivery get a 200 and change nothing', async () => {
    const { deliver, effects, onMessage, errors } = await receiverOn(await open());
    onMessage();
    expect([await deliver('a'), await deliver('a'), await deliver('b')]).toEqual([200, 200, 200]);
    expect([await effects(), errors]).toEqual([['a', 'b'], []]);
  });

  test('the work of a failed handler is rolled back, and the redelivery runs', async () => {
    const { deliver, effects, onMessage, errors } = await receiverOn(await open());
    onMessage(vi.fn().mockRejectedValueOnce(down));
    expect([await deliver('a'), await effects()]).toEqual([500, []]);
    expect(errors).toMatchObject([{ code: 'HANDLER_FAILED', cause: down }]);
    expect([await deliver('a'), await deliver('a'), await effects()]).toEqual([200, 200, ['a']]);
  });

  test.each([
    ['commits, none of them runs', 'open'],
    ['fails, one of them runs', 'fail'],
  ] as const)('redeliveries wait while the delivery runs; if it %s', async (_, end) => {
    const pool = await open();
    const { deliver, effects, onMessage } = await receiverOn(pool, { lockTimeoutMs: 30_000 });
    const other = await receiverOn(pool, { lockTimeoutMs: 30_000 });
    const gate = createGate();
    onMessage(vi.fn().mockImplementationOnce(gate.pass));
    other.onMessage();
    const first = deliver('a');
    await gate.reached;
    const more = [deliver('a'), other.deliver('a')];
    gate[end](down as never);
    expect(await Promise.all([first, ...more])).toEqual([end === 'open' ? 200 : 500, 200, 200]);
    expect(await effects()).toEqual(['a']);
  });

  test('a redelivery that has waited for `lockTimeoutMs` gets a 409, which is not reported to onError', async () => {
    const pool = await open();
    const { deliver, effects, onMessage, errors } = await receiverOn(pool, { lockTimeoutMs: 50 });
    const other = await receiverOn(pool, { lockTimeoutMs: 50 });
    const gate = createGate();
    onMessage(gate.pass);
    other.onMessage();
    const first = deliver('a');
    await gate.reached;
    expect(await Promise.all([deliver('a'), other.deliver('a')])).toEqual([409, 409]);
    gate.open();
    expect([await first, await deliver('a'), await effects()]).toEqual([200, 200, ['a']]);
    expect([...errors, ...other.errors]).toEqual([]);
  });

  test('`lockTimeoutMs` does not apply to the queries of handlers', async () => {
    const { deliver, onMessage } = await receiverOn(await open(), { lockTimeoutMs: 50 });
    const limits: unknown[] = [];
    onMessage(async (tx) => limits.push(...(await tx.query('show lock_timeout')).rows));
    await deliver('a');
    expect(limits).toEqual([{ lock_timeout: '0' }]);
  });

  test('a delivery fails if its handler swallows the error of a query', async () => {
    const { deliver, effects, onMessage, errors } = await receiverOn(await open());
    const queries = ['select 1 / 0', 'select 1'];
    onMessage((tx) => tx.query(queries.shift() ?? '').catch(() => {}));
    expect([await deliver('a'), await effects()]).toEqual([500, []]);
    expect(errors).toMatchObject([
      { code: 'HANDLER_FAILED', message: expect.stringMatching(/^Nothing is left to commit: a handler/) },
    ]);
    expect([await deliver('a'), await effects()]).toEqual([200, ['a']]);
  });

  test.each([
    [['rollback'], []],
    [['rollback', 'begin'], []],
    [['commit'], ['a']],
    [['commit', 'begin'], ['a']],
  ])('a delivery fails if its handler ends the transaction itself, by %j', async (queries, left) => {
    const { deliver, effects, onMessage, errors } = await receiverOn(await open());
    onMessage(async (tx) => {
      for (const query of queries) {
        await tx.query(query);
      }
    });
    expect([await deliver('a'), await effects()]).toEqual([500, left]);
    expect(errors).toMatchObject([
      { code: 'HANDLER_FAILED', message: expect.stringContaining('a handler ended the transaction') },
    ]);
  });

  test('a handler can go on after a failed query if it has set a savepoint', async () => {
    const { deliver, effects, onMessage } = await receiverOn(await open());
    onMessage(async (tx) => {
      await tx.query('savepoint before');
      await tx.query('select 1 / 0').catch(() => tx.query('rollback to before'));
    });
    expect([await deliver('a'), await effects()]).toEqual([200, ['a']]);
  });

  test('handlers run one after the other in one transaction, and stop at the first that fails', async () => {
    const { webhooks, deliver, effects, onMessage, errors } = await receiverOn(await open());
    const ran: string[] = [];
    onMessage(() => turns().then(() => ran.push('first')));
    webhooks.onAny((_, { tx }) => {
      ran.push('second');
      return tx.query('insert into effects values (null)');
    });
    webhooks.onAny(() => ran.push('third'));
    expect([await deliver('a'), await effects(), ran]).toEqual([500, [], ['first', 'second']]);
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/^1 of 3 handlers /), cause: { code: '23502' } },
    ]);
  });

  test('without a key, handlers always run, in a transaction', async () => {
    const { deliver, effects, onMessage } = await receiverOn(await open());
    onMessage(vi.fn().mockRejectedValueOnce(down));
    expect([await deliver(undefined, 'a'), await effects()]).toEqual([500, []]);
    expect([await deliver(undefined, 'a'), await deliver(undefined, 'a')]).toEqual([200, 200]);
    expect(await effects()).toEqual(['a', 'a']);
  });

  test('deliveries with the same `serialize` name run one at a time, in one process or in several', async () => {
    const pool = await open();
    const options = {
      serialize: ({ data }: { data: unknown }) => (data as { body: string }).body.slice(0, 2),
    };
    const first = await receiverOn(pool, { ...options, lockTimeoutMs: 30_000 });
    const second = await receiverOn(pool, { ...options, lockTimeoutMs: 30_000 });
    const running = new Set<string>();
    const overlaps: string[] = [];
    const work = async (tx: Tx, body: string) => {
      const name = body.slice(0, 2);
      if (running.has(name)) {
        overlaps.push(body);
      }
      running.add(name);
      // Long enough for the others, if nothing held them back.
      for (let round = 0; round < 10; round += 1) {
        await tx.query('select 1');
      }
      running.delete(name);
    };
    first.onMessage(work);
    second.onMessage(work);
    const ids = ['c1-1', 'c1-2', 'c1-3', 'c2-1', 'c2-2', 'c1-4'];
    // The second receiver gets the ids in reverse order: deliveries with the same id would wait for each other anyway.
    const sent = [...ids.map((id) => first.deliver(id)), ...ids.toReversed().map((id) => second.deliver(id))];
    expect(await Promise.all(sent)).toEqual(sent.map(() => 200));
    expect(overlaps).toEqual([]);
  });

  test('forget() deletes keys that are old enough, and returns their number', async () => {
    const { inbox, deliver, effects, onMessage } = await receiverOn(await open(), { table: 'seen' });
    onMessage();
    await deliver('a');
    expect(await inbox.forget({ olderThanMs: 60_000 })).toBe(0);
    await deliver('a');
    expect([await inbox.forget({ olderThanMs: 0 }), await inbox.forget({ olderThanMs: 0 })]).toEqual([1, 0]);
    await deliver('a');
    expect(await effects()).toEqual(['a', 'a']);
  });

  test.each(['confab_inbox', 'public.seen', 'n'.repeat(63)])(
    'migrate() may run twice, and gives the table %s the index that forget() needs',
    async (table) => {
      const pool = await open();
      const { inbox } = await receiverOn(pool, { table });
      await inbox.migrate();
      const { rows } = await (pool as Pool).query(
        `select pg_get_indexdef(indexrelid) as sql from pg_index where indrelid = '${table}'::regclass and not indisprimary`,
      );
      expect(rows).toEqual([{ sql: expect.stringMatching(/\(handled_at\)$/) }]);
    },
  );

  test('without its table, the error of the inbox says to call migrate(), and no handler runs', async () => {
    const pool = await open();
    const { deliver, effects, onMessage, errors } = await receiverOn(pool);
    await (pool as Pool).query('drop table confab_inbox');
    onMessage();
    expect([await deliver('a'), await effects()]).toEqual([500, []]);
    expect(errors).toMatchObject([
      { code: 'RECEIVER_FAILED', message: expect.stringContaining('Call `await inbox.migrate()` once') },
    ]);
  });
});

test('the process survives a backend that is killed during a handler or while idle', async () => {
  const pool = await openPool();
  const { deliver, effects, onMessage, errors } = await receiverOn(pool);
  const kill = (where: string) =>
    pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${where}`);
  const killOnce = vi.fn().mockImplementationOnce(async (tx: Client) => {
    // events.once() would add a listener for errors.
    const ended = new Promise<void>((resolve) => tx.once('end', resolve));
    await kill("state = 'idle in transaction'");
    await ended;
  });
  onMessage(killOnce);
  expect([await deliver('a'), await effects()]).toEqual([500, []]);
  expect(errors).toMatchObject([
    { code: 'RECEIVER_FAILED', message: expect.stringMatching(/^The commit failed/) },
  ]);
  const removed = new Promise<unknown>((resolve) => pool.once('remove', resolve));
  await Promise.all([pool.query('select 1'), kill("state = 'idle'")]);
  await removed;
  expect([await deliver('a'), await effects()]).toEqual([200, ['a']]);
});

/** Opens a pool of which one connection breaks when it commits. A silent one stays open, without a response. */
const openBreakingPool = async (moment: 'before' | 'after' | 'silently after') => {
  const breaks = [true];
  const server = createServer((socket) => {
    const upstream = connect(portOfServer(), '127.0.0.1');
    const close = () => [socket, upstream].map((end: Socket) => end.destroy());
    for (const end of [socket, upstream]) {
      end.on('error', () => {}).on('close', close);
    }
    let isCommitting = false;
    socket.on('data', (bytes) => {
      isCommitting = bytes.includes('commit\0') && breaks.pop() === true;
      if (isCommitting && moment === 'before') {
        close();
      } else {
        upstream.write(bytes);
      }
    });
    upstream.on('data', (bytes) => {
      if (!isCommitting) {
        socket.write(bytes);
      } else if (moment === 'after') {
        close();
      }
    });
  });
  return openPool({ port: await listenTcp(server), query_timeout: 1_000 });
};

test.each([
  ['before', 'runs again', 2],
  ['after', 'does not run again', 1],
  ['silently after', 'does not run again, once the `query_timeout` of the pool is over', 1],
] as const)('a delivery whose connection breaks %s its commit %s', async (moment, _, times) => {
  const pool = await openBreakingPool(moment);
  const { deliver, effects, onMessage, errors } = await receiverOn(pool);
  const work = vi.fn();
  onMessage(work);
  expect([await deliver('a'), await deliver('a'), await effects()]).toEqual([500, 200, ['a']]);
  expect(errors).toMatchObject([{ message: expect.stringMatching(/^The commit failed; see the cause/) }]);
  expect(work).toHaveBeenCalledTimes(times);
});

test.each([
  ['the redeliveries of a running delivery', undefined, 'a'],
  [
    'the deliveries that wait for their `serialize`',
    ({ data }: { data: unknown }) => `${Object(data).body}`,
    'b',
  ],
])('%s hold no connection of the pool', async (_, serialize, id) => {
  const pool = await openPool({ max: 2 });
  const { deliver, onMessage } = await receiverOn(pool, { serialize, lockTimeoutMs: 30_000 });
  const gate = createGate();
  onMessage(vi.fn().mockImplementationOnce(gate.pass));
  const running = deliver('a', 'chat');
  await gate.reached;
  const waiting = [1, 2, 3].map((number) => deliver(id === 'a' ? id : `${id}${number}`, 'chat'));
  expect(await deliver('unrelated', 'other')).toBe(200);
  gate.open();
  expect(await Promise.all([running, ...waiting])).toEqual([200, 200, 200, 200]);
});

test('a stricter isolation level of the database does not fail a waiting redelivery', async () => {
  const pool = await openPool({ options: '-c default_transaction_isolation=serializable' });
  const { deliver, effects, onMessage } = await receiverOn(pool);
  const other = await receiverOn(pool, { lockTimeoutMs: 30_000 });
  const gate = createGate();
  onMessage(gate.pass);
  other.onMessage();
  const first = deliver('a');
  await gate.reached;
  const second = other.deliver('a');
  const waiting = 'select count(*)::int as count from pg_locks where not granted';
  await eventually(async () => expect((await pool.query(waiting)).rows).toEqual([{ count: 1 }]));
  gate.open();
  expect([await first, await second, await effects()]).toEqual([200, 200, ['a']]);
});

test('a delivery leaves nothing in the session, as poolers in transaction mode require', async () => {
  const pool = await openPool({ max: 1 });
  const { deliver, onMessage } = await receiverOn(pool, { serialize: () => 'all', lockTimeoutMs: 50 });
  onMessage();
  expect([await deliver('a'), await deliver('b')]).toEqual([200, 200]);
  const { rows } = await pool.query(`select current_setting('lock_timeout') as limit,
    (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
    (select count(*)::int from pg_prepared_statements) as statements`);
  expect(rows).toEqual([{ limit: '0', locks: 0, statements: 0 }]);
  const client = await pool.connect();
  // The client has one listener for all deliveries that it has served.
  expect(client.listenerCount('error')).toBe(1);
  client.release();
});

test('several processes can create the table at the same time', async () => {
  const pool = await openPool();
  const { inbox } = await receiverOn(pool);
  await pool.query('drop table confab_inbox');
  await Promise.all(Array.from({ length: 10 }, () => inbox.migrate()));
  expect(await inbox.forget({ olderThanMs: 0 })).toBe(0);
});
