import openapi from '@confab/client/openapi.json' with { type: 'json' };
import type { Store } from '../world/store/store.ts';

const { parameters, ...components } = openapi.components;

/**
 * What the document describes, as JSON with every parameter in its operation: some tools that send the examples, such as
 * StepCI, do not resolve references to parameters.
 */
const described = JSON.stringify({ paths: openapi.paths, components }).replace(
  /\{"\$ref":"#\/components\/parameters\/(\w+)"\}/g,
  (_, name: keyof typeof parameters) => JSON.stringify(parameters[name]),
);

const FIRST = { limit: 1, offset: 0 };

/** A phone that no lead has, from the London numbers reserved for fiction: 020 7946 0000 to 0999. */
const freePhone = ({ leads }: Store): string | undefined =>
  Array.from(
    { length: 1_000 },
    (_, index) => `+44207946${String((958 + index) % 1_000).padStart(4, '0')}`,
  ).find((phone) => leads.table.holding(phone) === undefined);

/** The values of the examples that lead to rows, with those of a mock. Tools that send the examples get a success. */
const replacements = (store: Store): readonly (readonly [example: string, value: string | undefined])[] => {
  const [conversation] = store.conversations.table.page({}, FIRST).rows;
  const [agent] = store.agents.table.page({}, FIRST).rows;
  const lead = store.leads.get(conversation?.leadId ?? '') ?? store.leads.table.page({}, FIRST).rows[0];
  const { LeadId, ConversationId, AgentId, PipelineId } = parameters;
  const { phone } =
    openapi.paths['/api/v2/public/leads'].post.requestBody.content['application/json'].example;
  return [
    [LeadId.example, lead?.id],
    [ConversationId.example, conversation?.id],
    [AgentId.example, agent?.id],
    [PipelineId.example, lead?.pipelineId],
    [phone, freePhone(store)],
  ];
};

/**
 * The OpenAPI document of the API, which names this server. It contains nothing but the contract.
 *
 * @param store The rows of a mock that its examples name instead: only for those who may read these.
 */
export const apiDocument = (server: string, store?: Store): object => {
  const examples = store === undefined ? [] : replacements(store);
  const json = examples.reduce(
    (text, [example, value = example]) => text.replaceAll(`"${example}"`, JSON.stringify(value)),
    described,
  );
  return {
    ...openapi,
    servers: [{ url: server, description: 'The service that this document comes from.' }],
    ...JSON.parse(json),
  };
};
