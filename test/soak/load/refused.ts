import { createClient } from '@confab/client';
import type { Action, Context } from './context.ts';
import { below, pick } from './context.ts';

/** Runs work, and counts how it ended. Rethrows an error whose name is not in `names`. */
const countEnd = async (
  { outcomes }: Context,
  what: string,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const name = error instanceof Error ? error.name : String(error);
    if (!names.includes(name)) {
      throw error;
    }
    outcomes.count(`${what}: ${name}`);
    return;
  }
  outcomes.count(`${what}: no error`);
};

/** A client of its own each time: they must not pile up anywhere. */
const wrongKey: Action = async (context) => {
  const stranger = createClient({ baseUrl: context.url, apiKey: 'sk_wrong', rateLimit: false });
  await countEnd(context, 'wrong key', ['AuthenticationError'], async () => stranger.agents.list());
};

const badInput: Action = async (context) => {
  const { confab } = context;
  await countEnd(context, 'unknown lead', ['NotFoundError'], async () =>
    confab.leads.get('00000000-0000-4000-8000-000000000000'),
  );
  await countEnd(context, 'known phone', ['ConflictError'], async () =>
    confab.leads.create({ phone: '+12025550100' }),
  );
};

/** Aborts a call before, while or after it is sent. */
const aborted: Action = async (context) => {
  const { confab } = context;
  const controller = new AbortController();
  const call = pick([
    () => confab.leads.list({ limit: 100 }, { signal: controller.signal }).all({ max: 300 }),
    async () => confab.conversations.list({ limit: 50 }, { signal: controller.signal }),
    async () => confab.agents.list({ signal: controller.signal }),
  ]);
  const abort = setTimeout(() => controller.abort(), below(8));
  try {
    await countEnd(context, 'aborted call', ['AbortError'], call);
  } finally {
    clearTimeout(abort);
  }
};

/** Calls that must fail, each with its share. */
export const refused: readonly (readonly [weight: number, action: Action])[] = [
  [3, wrongKey],
  [3, badInput],
  [5, aborted],
];
