import { isErrorFromAlias } from '@zodios/core';
import { createApiClient, schemas } from '../generated/openapi-zod-client.ts';
import type { ClientProgram } from './client-program.ts';

const status = schemas.LeadStatus.enum.new;

export const run: ClientProgram = async ({ baseUrl, apiKey, phone, missingId }) => {
  const client = createApiClient(baseUrl, { axiosConfig: { headers: { 'X-API-Key': apiKey } } });
  // It checks every response against the schemas that it generated.
  const { data: lead } = await client['leads.create']({ phone });
  const { data: listed } = await client['leads.list']({ queries: { status, limit: 100 } });
  const { data: got } = await client['leads.get']({ params: { id: lead.id } });
  try {
    await client['leads.get']({ params: { id: missingId } });
  } catch (error) {
    if (!isErrorFromAlias(client.api, 'leads.get', error)) {
      throw error;
    }
    const { status, data } = error.response;
    return { created: lead, listed, got, missing: { status, code: data.code } };
  }
  throw new Error('a missing lead was found');
};
