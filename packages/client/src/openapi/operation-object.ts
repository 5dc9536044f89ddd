import type { Operation, OperationId } from '../contract/index.ts';
import { envelopeExample, envelopeName } from './component-schemas.ts';
import { objectDescriptions } from './descriptions.ts';
import type { Examples } from './examples.ts';
import type { Json } from './json.ts';
import { refTo } from './json.ts';
import { nameOf } from './named-schemas.ts';
import { operationDescriptions } from './operation-descriptions.ts';
import { errorsOf } from './responses.ts';

const jsonOf = (name: string, example: unknown): Json => ({
  'application/json': { schema: refTo('schemas', name), example },
});

const requestBodyOf = ({ body }: Operation, examples: Examples): Json => {
  const name = nameOf(body);
  if (name === undefined) {
    return {};
  }
  const { description } = objectDescriptions[name];
  return { requestBody: { description, required: true, content: jsonOf(name, examples[name]) } };
};

/** The OpenAPI operation object: parameters, request body and responses. */
export const operationObject = (
  operation: Operation & { readonly id: OperationId },
  parameters: readonly Json[],
  examples: Examples,
): Json => {
  const { id, status, scope } = operation;
  const { summary, does, returns } = operationDescriptions[id];
  return {
    operationId: id,
    summary,
    description: `${does}\n\nThe key needs the scope \`${scope}\`.`,
    tags: [id.split('.')[0]],
    security: [{ ApiKey: [scope] }, { Bearer: [scope] }],
    parameters,
    ...requestBodyOf(operation, examples),
    responses: {
      [status]: {
        description: returns,
        content: jsonOf(envelopeName(operation), envelopeExample(operation, examples)),
      },
      ...errorsOf(operation),
    },
  };
};
