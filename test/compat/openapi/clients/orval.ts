import { LeadStatus, leadsCreate, leadsGet, leadsList } from '../generated/orval.ts';
import type { Connect } from './client.ts';

const status: LeadStatus = LeadStatus.new;
// @ts-expect-error generated types know the values of an open enum
const _unknown: LeadStatus = 'archived';

/** The address is a part of the generated code. */
export const connect: Connect = (_baseUrl, apiKey) => {
  const options = { headers: { 'X-API-Key': apiKey } };
  return {
    async create(phone) {
      const { status, data } = await leadsCreate({ phone }, options);
      return status === 201 ? { data } : { error: data };
    },
    async list() {
      const response = await leadsList({ status, limit: 100 }, options);
      return response.status === 200 ? { data: response.data } : { error: response.data };
    },
    async get(id) {
      const { status, data } = await leadsGet(id, options);
      return status === 200 ? { data } : { error: data };
    },
  };
};
