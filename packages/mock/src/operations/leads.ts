import { invalid, Refusal } from '../errors/refusal.ts';
import { toLead } from '../world/resources/leads.ts';
import { PHONE_RULE } from '../world/store/phone.ts';
import type { StatusChange } from '../world/webhooks/delivery.ts';
import type { Handlers } from './operation.ts';
import { listPage } from './operation.ts';
import { createSearch } from './search.ts';

export const leads: Handlers<'leads'> = {
  'leads.list': ({ store, behavior }, { query: { search = '', ...query } }) => {
    const { data, meta } = listPage(store.leads, query, {
      order: behavior.order['leads.list'],
      matching: search === '' ? undefined : createSearch(behavior.search, search),
    });
    return { data: data.map(toLead), meta };
  },

  'leads.create': ({ store }, { body }) => {
    const phone = store.normalizePhone(body.phone);
    if (phone === undefined) {
      throw invalid(`body.phone ${PHONE_RULE}, got ${JSON.stringify(body.phone)}`);
    }
    if (body.pipelineId !== undefined && store.pipelines.get(body.pipelineId) === undefined) {
      throw invalid(`body.pipelineId must be a pipeline of the account, got "${body.pipelineId}"`);
    }
    if (store.leads.table.findUnique(phone) !== undefined) {
      throw new Refusal(409, 'ALREADY_EXISTS', `A lead with the phone ${phone} already exists`);
    }
    return { data: toLead(store.leads.create({ ...body, phone })) };
  },

  'leads.get': (_, { row }) => ({ data: toLead(row) }),

  'leads.update': ({ store, outbox }, { row, body }) => {
    const after = store.leads.update(row.id, body);
    if (after.status !== row.status) {
      const change: StatusChange = { resource: 'lead', id: row.id, from: row.status, to: after.status };
      outbox.emitIfNamed('statusChange', change);
    }
    return { data: toLead(after) };
  },
};
