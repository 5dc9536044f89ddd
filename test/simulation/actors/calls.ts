import type { CallOptions, Confab } from '@confab/client';
import type { Mock } from '@confab/mock';
import { watchWalk } from '../invariants/visits.ts';
import { REPEAT_HEADER, STEP_HEADER } from '../network/api-link.ts';
import type { CallPlan } from '../scenario/scenario.ts';
import type { Sim } from '../sim.ts';
import { phoneOf } from './service.ts';

/** Phones of new leads, apart from those that exist from the start. */
const FIRST_NEW_PHONE = 1_000_000;

/** An id that no row has, for picks from an empty list. */
const NO_ID = '00000000-0000-8000-8000-000000000000';

const idIn = (rows: readonly { readonly id: string }[], pick: number): string =>
  rows[Math.floor(pick * rows.length)]?.id ?? NO_ID;

/** A call of a step. */
export interface PlannedCall {
  readonly sim: Sim;
  readonly mock: Mock;
  readonly confab: Confab;
  /** The name of the client and the number of the step. */
  readonly name: string;
  readonly id: number;
  readonly call: CallPlan;
  /** Whether the client repeats anything at all. */
  readonly repeats: boolean;
  readonly signal: AbortSignal;
  readonly timeout: number | undefined;
}

/** Makes a call, and checks what it resolves with. */
export const makeCall = async (planned: PlannedCall): Promise<unknown> => {
  const { sim, mock, confab, name, id, call, signal } = planned;
  const repeat = planned.repeats && 'repeat' in call && call.repeat;
  const options: CallOptions = {
    signal,
    timeout: planned.timeout,
    headers: { [STEP_HEADER]: String(id), [REPEAT_HEADER]: repeat || call.op === 'ensure' ? '1' : '0' },
    ...(repeat ? { retry: { nonIdempotent: true } } : {}),
  };
  const lead = () => idIn(mock.leads.find(), 'pick' in call ? call.pick : 0);

  switch (call.op) {
    case 'create':
      return confab.leads.create({ phone: phoneOf(FIRST_NEW_PHONE + id) }, options);
    case 'ensure':
      return confab.leads.ensure({ phone: phoneOf(Math.floor(call.pick * 60)) }, options);
    case 'send': {
      const conversation = idIn(mock.conversations.find(), call.pick);
      return confab.conversations.sendMessage(conversation, { content: `Message of step ${id}` }, options);
    }
    case 'invoke':
      return confab.agents.invoke(
        idIn(mock.agents.find(), call.pick),
        { userMessage: `Question of step ${id}` },
        options,
      );
    case 'get':
      return confab.leads.get(lead(), options);
    case 'update':
      return confab.leads.update(lead(), { status: 'active' }, options);
    case 'all': {
      const { offset, limit } = call;
      const walked = watchWalk(sim, mock, name, call.onlyNew, offset);
      const query = { offset, limit, ...(call.onlyNew ? { status: 'new' as const } : {}) };
      const rows = await confab.leads.list(query, options).all({ concurrency: call.concurrency });
      return walked(rows.map((row) => row.id));
    }
    case 'job': {
      const walked = watchWalk(sim, mock, name, true);
      const visited: string[] = [];
      for await (const row of confab.leads.list({ status: 'new', limit: call.limit }, options)) {
        visited.push(row.id);
        await confab.leads.update(row.id, { status: 'active' }, options);
      }
      return walked(visited);
    }
  }
};
