import type { ExampleRows } from '@confab/client/openapi';
import { buildDocument } from '@confab/client/openapi';
import type { ServiceResponse } from '../http/service-response.ts';
import type { Store } from '../world/store/store.ts';
import { toLead } from '../world/store/to-lead.ts';

/** Where the description of the API is; a path of the mock's own, as services have one. */
export const OPENAPI_PATH = '/openapi.json';

const FIRST = { limit: 1, offset: 0 };

/** The first of the numbers kept free for fiction in London that no lead has: 020 7946 0000 to 0999. */
const freePhone = ({ leads }: Store): string | undefined => {
  for (let at = 0; at < 1_000; at += 1) {
    const phone = `+44207946${String((958 + at) % 1_000).padStart(4, '0')}`;
    if (leads.holding(phone) === undefined) {
      return phone;
    }
  }
  return undefined;
};

/** Rows that are there now, so that tools that send the examples are answered with success. */
const rowsIn = (store: Store): Partial<ExampleRows> => {
  const [conversation] = store.conversations.page({}, FIRST).rows;
  const [agent] = store.agents.page({}, FIRST).rows;
  const lead = store.leads.get(conversation?.leadId ?? '') ?? store.leads.page({}, FIRST).rows[0];
  const [message] = store.messages.page({ conversationId: conversation?.id ?? '' }, FIRST).rows;
  const newPhone = freePhone(store);
  return {
    ...(agent && { agent }),
    ...(lead && { lead: toLead(lead) }),
    ...(conversation && { conversation }),
    ...(message && { message }),
    ...(newPhone && { newPhone }),
  };
};

/**
 * The OpenAPI document, with this server as the place to call, and its rows as examples.
 *
 * @param origin `http://127.0.0.1:4010`.
 */
export const openapiAnswer = (origin: string, store: Store): ServiceResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  // Some tools that send the examples, StepCI among them, follow no reference from an operation to its parameters.
  body: JSON.stringify(buildDocument({ server: origin, rows: rowsIn(store), parameters: 'inline' })),
  ending: 'complete',
});
