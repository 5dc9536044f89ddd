import type { Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import { createOurs } from './clients.ts';
import { DELAY } from './paging.ts';
import { startServer } from './server/start.ts';

/** All of them have a new message. */
export const CONVERSATIONS = 400;

/** The time of a pass over conversations, by how many are read at once. */
export const compareMessages = async (): Promise<Timing[]> => {
  const server = await startServer({ total: CONVERSATIONS, delayMs: DELAY });
  const { conversations } = createOurs(server);
  const contenders = ['1', '8'].map((concurrency) => ({
    name: concurrency,
    run: async () => {
      let read = 0;
      for await (const _ of conversations.messagesSince(0, { concurrency: Number(concurrency) })) {
        read += 1;
      }
      if (read !== CONVERSATIONS) {
        throw new Error(`A pass yielded ${read} conversations of ${CONVERSATIONS}`);
      }
    },
  }));
  try {
    return await measure(contenders, { rounds: 3, runs: 1, warmUp: 1 });
  } finally {
    await server.close();
  }
};
