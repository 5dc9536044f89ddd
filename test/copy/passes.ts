import type { ClientOptions, Message } from '@confab/client';
import { createClient } from '@confab/client';
import type { Random } from '../support/random.ts';
import { createRandom } from '../support/random.ts';
import type { Account } from './account.ts';
import { createAccount, ORDERS, RESTLESS } from './account.ts';

const MINUTE = 60_000;

/** Changes something in the account. */
const disturb = (account: Account, random: Random): void => {
  const ids = account.ids();
  const kind = random.next();
  if (kind < 0.1 || ids.length === 0) {
    const id = account.open();
    if (random.chance(0.7)) {
      account.write(id);
    }
    return;
  }
  const id = random.pick(ids);
  if (kind < 0.75) {
    account.write(id);
  } else if (kind < 0.85) {
    account.delete(id);
  } else if (kind < 0.92) {
    account.change(id, { priority: random.pick(['low', 'medium', 'high', 'urgent']) });
  } else {
    account.change(id, { status: random.pick(['open', 'snoozed', 'resolved']) });
  }
};

/** Makes passes over an account, from checkpoint to checkpoint, while it changes; the last one when nothing changes. */
export const runPasses = async (seed: number) => {
  const random = createRandom(seed, 'copy');
  // Only few accounts have more rows than a page of the real service, because their passes take long.
  const isLarge = random.chance(0.05);
  const order = random.pick(Object.keys(ORDERS));
  const sendsDate = random.chance(0.8);
  const pageSize = isLarge ? 100 : random.integer(3, 27);
  const account = createAccount(order, pageSize, sendsDate, random);
  const skew = (random.next() - 0.5) * (sendsDate ? 1_440 : 100) * MINUTE;
  const status = random.chance(0.2) ? 'open' : undefined;
  const concurrency = random.integer(1, 8);
  const title = `seed ${seed}: pages of ${pageSize}, ${order}, ${concurrency} at once, ${status ?? 'all'}, the clock ${Math.round(skew / MINUTE)} min ahead, ${sendsDate ? 'with' : 'without'} Date`;
  /** It also counts the passes that broke off, and those that ended although the list had not settled. */
  const result = { title, passes: 0, broken: 0, unsettled: 0, problems: [] as string[] };

  let calm = true;
  let failing = 0;
  /** The ids of the conversations that left the list during the pass. */
  const left = new Set<string>();
  const isListed = (id: string) => {
    const row = account.get(id);
    return row !== undefined && (status === undefined || row.status === status);
  };
  /** The probability of a change before and after each request. */
  const intensity = random.next() ** 2 * 0.5;
  const happen = () => {
    account.advance(random.integer(0, 1_999));
    while (!calm && random.chance(intensity)) {
      const before = account.ids().filter(isListed);
      disturb(account, random);
      for (const id of before.filter((each) => !isListed(each))) {
        left.add(id);
      }
    }
  };
  const fetch: NonNullable<ClientOptions['fetch']> = async (url) => {
    happen();
    if (random.chance(failing)) {
      throw new TypeError('fetch failed');
    }
    const response = await account.fetch(url);
    happen();
    return response;
  };
  const clock = { ...account.clock, now: () => account.clock.now() + skew };
  const confab = createClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'a-key-of-the-test',
    fetch,
    clock,
    rateLimit: false,
    retry: { limit: 1 },
  });

  const size = isLarge ? random.integer(90, 289) : random.integer(0, 79);
  for (let index = 0; index < size; index += 1) {
    const id = account.open();
    const messages = random.chance(0.02) ? 101 : random.integer(0, 2);
    for (let number = 0; number < messages; number += 1) {
      account.write(id);
    }
    account.advance(Math.floor(random.next() * 10 * MINUTE));
  }

  const since = account.clock.now() - Math.floor(random.next() * 600 * MINUTE);
  let checkpoint = new Date(since).toISOString();
  const copied = new Set<string>();
  /** Conversations whose older messages the API does not return. */
  const incomplete = new Set<string>();

  /** Finds the messages of a conversation since a time that were not seen, if the API still returns all of them. */
  const findMissed = (id: string, messages: readonly Message[], from: string, seen: ReadonlySet<string>) =>
    incomplete.has(id) ? [] : messages.filter((each) => each.createdAt >= from && !seen.has(each.id));

  const pass = async (): Promise<void> => {
    result.passes += 1;
    left.clear();
    const from = checkpoint;
    const listed = account.ids().filter(isListed);
    const before = new Map(listed.map((id) => [id, account.messages(id)]));
    const began = account.clock.now();
    const controller = new AbortController();
    const breaksOffAt = !calm && random.chance(0.2) ? random.integer(0, 19) : Number.POSITIVE_INFINITY;
    const seen = new Set<string>();
    const current = confab.conversations.messagesSince(from, {
      status,
      concurrency,
      signal: controller.signal,
    });
    let items = 0;
    try {
      for await (const { conversation, messages, isComplete } of current) {
        items += 1;
        if (!isComplete) {
          incomplete.add(conversation.id);
        }
        for (const { id, createdAt } of messages) {
          if (seen.has(id) || createdAt < from) {
            result.problems.push(
              `pass ${result.passes} yielded ${id} ${seen.has(id) ? 'twice' : 'too early'}`,
            );
          }
          seen.add(id);
          copied.add(id);
        }
        if (items > breaksOffAt) {
          if (random.chance(0.5)) {
            break;
          }
          controller.abort(new Error('broken off'));
        }
        happen();
      }
    } catch (error) {
      if (failing === 0 && !controller.signal.aborted) {
        result.problems.push(`pass ${result.passes} failed: ${error}`);
      }
    }
    if (current.checkpoint === undefined) {
      result.broken += 1;
      return;
    }
    if (items > breaksOffAt) {
      result.problems.push(`pass ${result.passes} was broken off but has a checkpoint`);
    }
    checkpoint = current.checkpoint;
    if (checkpoint > from) {
      for (const [id, messages] of before) {
        const missed = findMissed(id, messages, from, seen);
        if (missed.length > 0 && isListed(id) && !left.has(id)) {
          result.problems.push(`pass ${result.passes} lost ${missed.length} messages of ${id}`);
        }
      }
    } else if (began - Date.parse(from) > 3 * MINUTE + 60 * MINUTE * Number(!sendsDate) + Math.abs(skew)) {
      result.unsettled += 1;
    }
    if (Date.parse(checkpoint) > Math.max(began, Date.parse(from))) {
      result.problems.push(`pass ${result.passes} has a checkpoint after its beginning`);
    }
  };

  calm = false;
  for (let count = random.integer(2, 4); count > 0; count -= 1) {
    failing = random.chance(0.2) ? random.next() * 0.1 : 0;
    await pass();
    account.advance(Math.floor(random.next() * 30 * MINUTE));
  }
  calm = true;
  failing = 0;
  const last = checkpoint;
  await pass();
  // If the list has not settled, the next pass reads what this one has missed.
  if (status === undefined && (order !== RESTLESS || checkpoint > last)) {
    const from = new Date(since).toISOString();
    for (const id of account.ids()) {
      const lost = findMissed(id, account.messages(id), from, copied);
      if (lost.length > 0) {
        result.problems.push(`all passes together lost ${lost.length} messages of ${id}`);
      }
    }
    if (order !== RESTLESS && checkpoint <= from && account.clock.now() - since > 300 * MINUTE) {
      result.problems.push('a calm pass did not settle');
    }
  }
  return result;
};
