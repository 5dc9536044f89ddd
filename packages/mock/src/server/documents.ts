import type { ExampleRows } from '@confab/client/openapi';
import { buildAsyncApiDocument, buildDocument } from '@confab/client/openapi';
import type { ServiceResponse } from '../http/service-response.ts';
import type { Store } from '../world/store/store.ts';
import { toLead } from '../world/store/to-lead.ts';

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

/** Each document, by its path. */
const documents: Readonly<Record<string, (origin: string, store: Store) => object>> = {
  // Some tools that send the examples, such as StepCI, do not resolve references to parameters.
  '/openapi.json': (server, store) => buildDocument({ server, rows: rowsIn(store), parameters: 'inline' }),
  '/asyncapi.json': buildAsyncApiDocument,
};

/**
 * The response with the OpenAPI document, which names this server and has its rows as examples, or with the AsyncAPI
 * document; `undefined` at any other path.
 *
 * @param url The base URL of the mock, as the origin, and the path of the request below it.
 */
export const documentAt = (
  { origin, pathname }: Pick<URL, 'origin' | 'pathname'>,
  store: Store,
): ServiceResponse | undefined => {
  const build = Object.hasOwn(documents, pathname) ? documents[pathname] : undefined;
  return (
    build && {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(build(origin, store)),
      ending: 'complete',
    }
  );
};
