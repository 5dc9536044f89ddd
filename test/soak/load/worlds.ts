import type { Confab } from '@confab/client';
import { ConfabError, createClient } from '@confab/client';
import type { RemoteWorld } from '@confab/mock/remote';
import type { Action, Context } from './context.ts';
import { below, pick } from './context.ts';
import { SECRET } from './receiver.ts';

/** The share of worlds that the load abandons, for the server to delete. */
const ABANDONED = 0.1;

/** A client that gives up soon, because much goes wrong in these worlds. */
const clientOf = (world: RemoteWorld): Confab =>
  createClient({
    ...world.clientOptions,
    timeout: 250,
    deadline: 2_000,
    retry: { limit: 2, baseDelay: 5, maxDelay: 20 },
  });

/** Calls that may fail, by what was planned. Only an error that is not the client's own is a fault. */
const attempt = async ({ outcomes }: Context, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
    outcomes.count('call in a world: no error');
  } catch (error) {
    if (!(error instanceof ConfabError)) {
      throw error;
    }
    outcomes.count(`call in a world: ${error.name}`);
  }
};

const FAULTS = [
  { status: 500 },
  { status: 503, headers: { 'retry-after': '0' } },
  { status: 429, headers: { 'retry-after': '1' } },
  { network: 'error' },
  { network: 'hang' },
  { network: 'truncate' },
  { network: 'stall' },
  { body: 'no JSON', status: 200 },
  { delayMs: 50 },
] as const;

const faulty = async (context: Context, world: RemoteWorld, confab: Confab): Promise<void> => {
  await world.faults.once('agents.list', pick(FAULTS));
  await world.faults.always('leads.create', { ...pick(FAULTS), probability: 0.5 });
  await attempt(context, async () => confab.agents.list());
  for (let count = 0; count < 3; count += 1) {
    await attempt(context, async () => confab.leads.create({ phone: `+1202555${String(9_000 + count)}` }));
  }
  await world.faults.clear();
};

const delivering = async ({ receiver }: Context, world: RemoteWorld): Promise<void> => {
  const url = pick([receiver.good, receiver.failing, receiver.silent]);
  await world.webhooks.add({ url, secret: SECRET, retries: [20, 50], timeout: 100 });
  if (below(3) === 0) {
    await world.webhooks.deliveryFaults.once({ copies: 2 });
  }
  for (let count = 0; count < 3; count += 1) {
    await world.inbound({ phone: '+12025559999', body: `Message ${count}` });
  }
  if (below(2) === 0) {
    // Otherwise deliveries are still under way when the world is deleted.
    await world.webhooks.flush();
  }
};

const restoring = async (context: Context, world: RemoteWorld, confab: Confab): Promise<void> => {
  const snapshot = await world.snapshot();
  await attempt(context, async () => confab.leads.create({ phone: '+12025558888' }));
  const { id, key } = await world.keys.create({ scopes: ['read:leads'] });
  await attempt(context, async () => createClient({ baseUrl: world.baseUrl, apiKey: key }).agents.list());
  await world.keys.revoke(id);
  await world.restore(snapshot);
  await world.reset();
};

/** Reads more than the limit of the world allows: the client waits. */
const limited = async (context: Context, _world: RemoteWorld, confab: Confab): Promise<void> => {
  await Promise.all(
    Array.from({ length: 40 }, () => attempt(context, async () => confab.leads.list({ limit: 5 }))),
  );
};

/** Creates a world, does something in it, and deletes it or leaves that to the server. */
const useWorld: Action = async (context) => {
  const { remote, outcomes, leakWorlds } = context;
  const world = await remote.worlds.create({
    data: pick(['minimal', 'demo'] as const),
    clock: 'system',
    rateLimit: { requests: 30, perMs: 200, headers: 'always' },
  });
  await pick([faulty, delivering, restoring, limited])(context, world, clientOf(world));
  if (leakWorlds || Math.random() < ABANDONED) {
    outcomes.count('world abandoned');
    return;
  }
  if (!(await world.delete())) {
    throw new Error('A world was gone before it was deleted.');
  }
  outcomes.count('world deleted');
};

export const worlds: readonly (readonly [weight: number, action: Action])[] = [[2, useWorld]];
