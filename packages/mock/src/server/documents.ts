import openapi from '@confab/client/openapi.json' with { type: 'json' };
import type { ServiceResponse } from '../request/envelope.ts';
import type { Store } from '../world/store/store.ts';

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
}

const { parameters, ...components } = openapi.components;

const shared: Readonly<Record<string, Parameter>> = parameters;

const inline = (parameter: Parameter): Parameter =>
  shared[parameter.$ref?.replace('#/components/parameters/', '') ?? ''] ?? parameter;

/**
 * The paths of the API's document, with every parameter in its operation: some tools that send the examples, such as
 * StepCI, do not resolve references to parameters.
 */
const paths = Object.fromEntries(
  Object.entries(openapi.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, parameters: operation.parameters.map(inline) },
      ]),
    ),
  ]),
);

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

const FIRST = { limit: 1, offset: 0 };

/** The values of the examples that lead to rows, with those of a mock. Tools that send the examples get a success. */
const replacements = (store: Store): readonly (readonly [example: string, value: string | undefined])[] => {
  const [conversation] = store.conversations.page({}, FIRST).rows;
  const [agent] = store.agents.page({}, FIRST).rows;
  const lead = store.leads.get(conversation?.leadId ?? '') ?? store.leads.page({}, FIRST).rows[0];
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

const toResponse = (server: string, rest: object): ServiceResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    ...openapi,
    servers: [{ url: server, description: 'The service that this document comes from.' }],
    ...rest,
  }),
  ending: 'complete',
});

/**
 * The response with the OpenAPI document, which names this server; `undefined` at any other path. It needs no key and no
 * token, so it contains nothing but the contract.
 *
 * @param url The base URL of the mock, as the origin, and the path of the request below it.
 */
export const documentAt = ({
  origin,
  pathname,
}: Pick<URL, 'origin' | 'pathname'>): ServiceResponse | undefined =>
  pathname === '/openapi.json' ? toResponse(origin, { paths, components }) : undefined;

/** The response with the OpenAPI document whose examples name rows of a mock: only for those who may read these. */
export const documentWithRows = (server: string, store: Store): ServiceResponse => {
  // Not the webhooks: their example has a signature.
  const text = replacements(store).reduce(
    (json, [example, value = example]) => json.replaceAll(`"${example}"`, JSON.stringify(value)),
    JSON.stringify({ paths, components }),
  );
  return toResponse(server, JSON.parse(text));
};
