import { LeadStatus, leadsCreate, leadsGet, leadsList } from '../generated/orval.ts';
import type { ClientProgram } from './client-program.ts';

const status: LeadStatus = LeadStatus.new;
// @ts-expect-error generated types know the values of an open enum
const _unknown: LeadStatus = 'archived';

export const run: ClientProgram = async ({ apiKey, phone, missingId }) => {
  const options = { headers: { 'X-API-Key': apiKey } };
  const created = await leadsCreate({ phone }, options);
  if (created.status !== 201) {
    throw new Error(created.data.error);
  }
  const { data: lead } = created.data;
  const listed = await leadsList({ status, limit: 100 }, options);
  if (listed.status !== 200) {
    throw new Error(listed.data.error);
  }
  const got = await leadsGet(lead.id, options);
  if (got.status !== 200) {
    throw new Error(got.data.error);
  }
  const missing = await leadsGet(missingId, options);
  if (missing.status === 200) {
    throw new Error('a missing lead was found');
  }
  return {
    created: lead,
    listed: listed.data.data,
    got: got.data.data,
    missing: { status: missing.status, code: missing.data.code },
  };
};
