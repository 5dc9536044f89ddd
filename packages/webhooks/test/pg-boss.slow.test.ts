import { eventually } from '@confab/internal/test-support';
import type { Delivery } from '@confab/webhooks';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { fromPglite, PgBoss } from 'pg-boss';
import { expect, onTestFinished, test } from 'vitest';
import type { Tx } from './support/postgres.ts';
import { openPglite, openPool, receiverOn } from './support/postgres.ts';
import { createReceiver, data, message } from './support/receiver.ts';

const QUEUE = 'deliveries';
const DEAD = 'dead-deliveries';

/** A transaction in the shape that pg-boss takes. */
const inTransaction = (tx: Tx): ReturnType<typeof fromPglite> => ({
  executeSql: (text, values) => tx.query(text, values),
});

test.each([
  ['pg', openPool],
  ['PGlite', openPglite],
])(
  'pg-boss on %s queues a delivery once, retries it, keeps it as a dead letter, and redrives it',
  { timeout: 60_000 },
  async (_, open: () => Promise<Pool | PGlite>) => {
    const pool = await open();
    const schema = 'boss';
    await (pool as Tx).query(`drop schema if exists ${schema} cascade`);
    const db = 'exec' in pool ? fromPglite(pool) : inTransaction(pool as Tx);
    const boss = new PgBoss({ db, schema, supervise: false, schedule: false });
    boss.on('error', () => {});
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false }));
    await boss.createQueue(DEAD);
    await boss.createQueue('emails');
    const retries = { retryLimit: 1, retryDelay: 1, retryBackoff: true };
    await boss.createQueue(QUEUE, { policy: 'exclusive', deadLetter: DEAD, ...retries });

    // Workers that fetch at the same moment may still take two jobs of one group.
    const serialize = () => 'c1';
    const { webhooks: worker, effects, onMessage } = await receiverOn(pool, { serialize });
    const { deliver } = createReceiver({
      dedupe: { key: ({ headers }) => headers.get('x-id') ?? undefined },
      enqueue: (delivery) => boss.send(QUEUE, delivery, { singletonKey: delivery.id, group: { id: 'c1' } }),
    });
    const send = (id: string) =>
      deliver({ ...message, data: { ...data, body: id } }, { headers: { 'x-id': id } });
    const isFixed = { yet: false };
    const running = { now: 0, most: 0 };
    onMessage(async (tx, body) => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await boss.send('emails', { body }, { db: inTransaction(tx) });
      running.now -= 1;
      if (body === 'poison' && !isFixed.yet) {
        throw new Error('the handler failed');
      }
    });

    const soon = { withinMs: 30_000 };
    expect(await Promise.all(['a', 'a', 'b', 'poison', 'c'].map(send))).toEqual([200, 200, 200, 200, 200]);
    expect(await boss.findJobs(QUEUE)).toHaveLength(4);
    const options = { localConcurrency: 3, groupConcurrency: 1, pollingIntervalSeconds: 0.5 };
    await boss.work<Delivery>(QUEUE, options, async ([job]) => job && worker.process(job.data));

    const dead = await eventually(async () => {
      const jobs = await boss.findJobs<Delivery>(DEAD);
      expect(jobs).toHaveLength(1);
      return jobs;
    }, soon);
    expect(dead[0]?.data).toMatchObject({
      event: 'message.created',
      data: { body: 'poison' },
      secretIndex: 0,
    });
    const [failed] = await boss.findJobs(QUEUE, { key: dead[0]?.data.id ?? '' });
    expect(JSON.stringify(failed?.output)).toContain('the handler failed');
    await eventually(async () => expect(await effects()).toEqual(['a', 'b', 'c']), soon);

    isFixed.yet = true;
    expect(await boss.redrive(DEAD)).toBe(1);
    await send('a');
    await eventually(async () => expect(await effects()).toEqual(['a', 'b', 'c', 'poison']), soon);
    await eventually(async () => expect(await boss.findJobs(QUEUE, { queued: true })).toEqual([]), soon);
    expect([await effects(), running.most]).toEqual([['a', 'b', 'c', 'poison'], 1]);
    expect(await boss.findJobs('emails')).toHaveLength(4);
  },
);
