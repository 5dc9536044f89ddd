import { invalid, orNotFound, Refusal } from '../errors/refusal.ts';
import type { StoredLead } from '../world/resources/leads.ts';
import { toLead } from '../world/resources/leads.ts';
import { PHONE_WANTED } from '../world/store/phone.ts';
import type { World } from '../world/world.ts';
import type { Handlers } from './operation.ts';
import { listPage } from './operation.ts';
import { searching } from './searching.ts';

const find = ({ store }: World, id: string): StoredLead =>
  orNotFound(store.leads.get(id), `No lead has the id ${id}`);

export const leads: Handlers<'leads'> = {
  'leads.list': ({ store, behavior }, { query: { search = '', ...query } }) => {
    const { data, meta } = listPage(store.leads, query, {
      order: behavior.order['leads.list'],
      matching: search === '' ? undefined : searching(behavior.search, search),
    });
    return { data: data.map(toLead), meta };
  },

  'leads.create': ({ store }, { body }) => {
    const phone = store.normalizePhone(body.phone);
    if (phone === undefined) {
      throw invalid(`body.phone ${PHONE_WANTED}, got ${JSON.stringify(body.phone)}`);
    }
    if (body.pipelineId !== undefined && store.pipelines.get(body.pipelineId) === undefined) {
      throw invalid(`body.pipelineId must be a pipeline of the account, got "${body.pipelineId}"`);
    }
    if (store.leads.table.holding(phone) !== undefined) {
      throw new Refusal(409, 'ALREADY_EXISTS', `A lead with the phone ${phone} already exists`);
    }
    return { data: toLead(store.leads.create({ ...body, phone })) };
  },

  'leads.get': (world, { params }) => ({ data: toLead(find(world, params.id)) }),

  'leads.update': (world, { params, body }) => {
    const before = find(world, params.id);
    const after = world.store.leads.update(params.id, body);
    if (after.status !== before.status) {
      world.outbox.statusChanged({ resource: 'lead', id: after.id, from: before.status, to: after.status });
    }
    return { data: toLead(after) };
  },
};
