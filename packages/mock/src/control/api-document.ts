import type { ExampleRows } from '@confab/client/openapi';
import { buildAsyncApiDocument, buildDocument } from '@confab/client/openapi';
import { toLead } from '../world/store/rows.ts';
import type { Store } from '../world/store/store.ts';

const FIRST = { limit: 1, offset: 0 };

/** A phone that no lead has, from the London numbers reserved for fiction: 020 7946 0000 to 0999. */
const freePhone = ({ leads }: Store): string | undefined => {
  for (let at = 0; at < 1_000; at += 1) {
    const phone = `+44207946${String((958 + at) % 1_000).padStart(4, '0')}`;
    if (leads.holding(phone) === undefined) {
      return phone;
    }
  }
  return undefined;
};

/** Existing rows, so that tools that send the examples get a success. */
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

// Some tools that send the examples, such as StepCI, do not resolve references to parameters.
const PARAMETERS = 'inline';

/** The documents that need no key and no token, because they contain nothing but the contract, by their path. */
export const DOCUMENTS: ReadonlyMap<string, (server: string) => object> = new Map<
  string,
  (server: string) => object
>([
  ['/openapi.json', (server) => buildDocument({ server, parameters: PARAMETERS })],
  ['/asyncapi.json', buildAsyncApiDocument],
]);

/** The OpenAPI document whose examples are rows of a mock: only for those who may read these. */
export const documentWithRows = (server: string, store: Store): object =>
  buildDocument({ server, rows: rowsIn(store), parameters: PARAMETERS });
