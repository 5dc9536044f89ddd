import type { Confab, OperationId } from '@confab/client';
import type { Operation } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import openapi from '@confab/client/openapi.json' with { type: 'json' };

export const operationIds = Object.keys(operations) as OperationId[];

interface Described {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
}

/** Returns the example body of an operation in the OpenAPI document, without its id of a pipeline, which no mock has. */
const bodyOf = ({ method, path }: Operation): object | undefined => {
  const described = Reflect.get(openapi.paths, path)[method.toLowerCase()] as Described;
  const example = described.requestBody?.content['application/json'].example;
  return example && { ...example, pipelineId: undefined };
};

export const isPaged = (id: OperationId): boolean =>
  'offset' in ((operations[id] as Operation).query?.shape ?? {});

interface Input {
  readonly id?: unknown;
  readonly query?: object | undefined;
  /** @default a valid body */
  readonly body?: unknown;
}

/** Calls the method of an operation, and resolves to its data, or to the rows of its page. */
export const callOperation = async (
  confab: Confab,
  operationId: OperationId,
  input: Input = {},
): Promise<unknown> => {
  const [resource = '', method = ''] = operationId.split('.');
  const methods = Reflect.get(confab, resource) as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const {
    id = '22222222-2222-4222-8222-222222222222',
    query,
    body = bodyOf(operations[operationId] as Operation),
  } = input;
  const { params, query: querySchema, body: bodySchema } = operations[operationId] as Operation;
  const args = [...(params ? [id] : []), ...(querySchema ? [query] : []), ...(bodySchema ? [body] : [])];
  const data = await methods[method]?.(...args);
  return isPaged(operationId) ? (data as { data: unknown }).data : data;
};
