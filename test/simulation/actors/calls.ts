import type { CallOptions, Confab } from '@confab/client';
import type { Mock } from '@confab/mock';
import type { Random } from '../../support/random.ts';
import type { Sim } from '../sim.ts';
import { phoneOf } from './service.ts';

/** The phone numbers of new leads, apart from those that exist from the start. */
const FIRST_NEW_PHONE = 1_000_000;

/** An id that no row has, used when the list is empty. */
const NO_ID = '00000000-0000-8000-8000-000000000000';

/** Draws a call. Rows are picked by a fraction of those that exist then. */
export const drawCall = (random: Random) => ({
  pick: random.next(),
  op: random.pick(['create', 'create', 'send', 'invoke', 'ensure', 'get', 'update', 'all', 'job']),
  /** Whether the caller allows retries of a write. */
  nonIdempotent: random.chance(0.1),
  /** How a walk reads the list. */
  limit: random.integer(2, 9),
  concurrency: random.integer(1, 5),
  onlyNew: random.chance(0.5),
});

export type CallPlan = ReturnType<typeof drawCall>;

/**
 * Starts to watch a walk through the leads. Call the returned function with the ids that it returned.
 *
 * Leads of this simulation never become new again, so those that match at the start and at the end have stayed.
 */
const watchWalk = (sim: Sim, { leads }: Pick<Mock, 'leads'>, name: string, onlyNew: boolean) => {
  const matching = (): string[] => leads.find(onlyNew ? { status: 'new' } : {}).map(({ id }) => id);
  const before = matching();
  return (ids: readonly string[]): void => {
    const returned = new Set(ids);
    if (returned.size < ids.length) {
      sim.fail('visits', `${name} returned ${ids.length - returned.size} of ${ids.length} rows twice`);
    }
    const after = new Set(matching());
    const missed = before.filter((id) => after.has(id) && !returned.has(id));
    if (missed.length > 0) {
      sim.fail('visits', `${name} skipped ${missed.length} rows that stayed, such as ${missed[0]}`);
    }
  };
};

/** Makes a call, and checks what it resolves with. */
export const makeCall = async (
  sim: Sim,
  mock: Mock,
  confab: Confab,
  options: CallOptions,
  { name, step, plan }: { readonly name: string; readonly step: number; readonly plan: CallPlan },
): Promise<unknown> => {
  const { op, pick, limit, concurrency, onlyNew } = plan;
  const idIn = (rows: readonly { readonly id: string }[]): string =>
    rows[Math.floor(pick * rows.length)]?.id ?? NO_ID;

  switch (op) {
    case 'create':
      return confab.leads.create({ phone: phoneOf(FIRST_NEW_PHONE + step) }, options);
    case 'ensure':
      return confab.leads.ensure({ phone: phoneOf(Math.floor(pick * 60)) }, options);
    case 'send': {
      const message = { content: `Message of step ${step}` };
      return confab.conversations.sendMessage(idIn(mock.conversations.find()), message, options);
    }
    case 'invoke': {
      const question = { userMessage: `Question of step ${step}` };
      return confab.agents.invoke(idIn(mock.agents.find()), question, options);
    }
    case 'get':
      return confab.leads.get(idIn(mock.leads.find()), options);
    case 'update':
      return confab.leads.update(idIn(mock.leads.find()), { status: 'active' }, options);
    case 'all': {
      const walked = watchWalk(sim, mock, name, onlyNew);
      const query = { limit, ...(onlyNew ? { status: 'new' as const } : {}) };
      const rows = await confab.leads.list(query, options).all({ concurrency });
      return walked(rows.map(({ id }) => id));
    }
    case 'job': {
      const walked = watchWalk(sim, mock, name, true);
      const visited: string[] = [];
      for await (const { id } of confab.leads.list({ status: 'new', limit }, options)) {
        visited.push(id);
        await confab.leads.update(id, { status: 'active' }, options);
      }
      return walked(visited);
    }
  }
};
