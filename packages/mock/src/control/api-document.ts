import openapi from '@confab/client/openapi.json' with { type: 'json' };
import type { Store } from '../world/store/store.ts';

const { parameters, ...components } = openapi.components;

/**
 * The paths and components as JSON, with every parameter in its operation: some tools that send the examples, such as
 * StepCI, do not resolve references to parameters.
 */
const documentJson = JSON.stringify({ paths: openapi.paths, components }).replace(
  /\{"\$ref":"#\/components\/parameters\/(\w+)"\}/g,
  (_, name: keyof typeof parameters) => JSON.stringify(parameters[name]),
);

const FIRST_ROW = { limit: 1, offset: 0 };

/** Finds a phone number that no lead has, among the London numbers reserved for fiction: 020 7946 0000 to 0999. */
const findFreePhone = ({ leads }: Store): string | undefined =>
  Array.from(
    { length: 1_000 },
    (_, index) => `+44207946${String((958 + index) % 1_000).padStart(4, '0')}`,
  ).find((phone) => leads.table.findUnique(phone) === undefined);

/** Pairs the example values that identify rows with values of existing rows, so that tools that send them succeed. */
const findReplacements = (
  store: Store,
): readonly (readonly [example: string, value: string | undefined])[] => {
  const [conversation] = store.conversations.table.page({}, FIRST_ROW).rows;
  const [agent] = store.agents.table.page({}, FIRST_ROW).rows;
  const lead = store.leads.get(conversation?.leadId ?? '') ?? store.leads.table.page({}, FIRST_ROW).rows[0];
  const { LeadId, ConversationId, AgentId, PipelineId } = parameters;
  const { phone } =
    openapi.paths['/api/v2/public/leads'].post.requestBody.content['application/json'].example;
  return [
    [LeadId.example, lead?.id],
    [ConversationId.example, conversation?.id],
    [AgentId.example, agent?.id],
    [PipelineId.example, lead?.pipelineId],
    [phone, findFreePhone(store)],
  ];
};

/**
 * Builds the OpenAPI document of the API with the URL of this server.
 *
 * @param store Rows whose values replace those of the examples, for callers that may read rows.
 */
export const apiDocument = (server: string, store?: Store): object => {
  const examples = store === undefined ? [] : findReplacements(store);
  const json = examples.reduce(
    (text, [example, value = example]) => text.replaceAll(`"${example}"`, JSON.stringify(value)),
    documentJson,
  );
  return {
    ...openapi,
    servers: [{ url: server, description: 'The service that this document comes from.' }],
    ...JSON.parse(json),
  };
};
