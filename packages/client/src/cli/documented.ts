import openapi from '../../openapi.json' with { type: 'json' };
import type { OperationId } from '../contract/index.ts';
import { operations } from '../contract/index.ts';

/** What the OpenAPI document says about a field. */
export interface DocumentedField {
  readonly description?: string;
  readonly example?: unknown;
}

interface Parameter extends DocumentedField {
  readonly $ref?: string;
  readonly name?: string;
}

interface DocumentedOperation {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { 'application/json': { schema: { $ref: string } } } };
}

interface Property {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

const paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>> = openapi.paths;
const parameters: Readonly<Record<string, Parameter>> = openapi.components.parameters;
const schemas = openapi.components.schemas as Readonly<
  Record<string, { readonly properties?: Readonly<Record<string, Property>> }>
>;

const documentedOperation = (id: OperationId): DocumentedOperation | undefined => {
  const { path, method } = operations[id];
  return paths[path]?.[method.toLowerCase()];
};

const lastPart = ($ref = ''): string => $ref.replace(/.*\//, '');

/** What each operation is for. */
export const describeOperation = (id: OperationId): { readonly summary: string; readonly does: string } => {
  const { summary = '', description = '' } = documentedOperation(id) ?? {};
  return { summary, does: description.replace(/\n\n.*/s, '') };
};

/** The fields of a query or a body, by name. */
export const documentedFields = (
  id: OperationId,
  place: 'query' | 'body',
): Readonly<Record<string, DocumentedField>> => {
  const { parameters: own = [], requestBody } = documentedOperation(id) ?? {};
  if (place === 'query') {
    const resolved = own.map((parameter) => parameters[lastPart(parameter.$ref)] ?? parameter);
    return Object.fromEntries(resolved.map((parameter) => [parameter.name, parameter]));
  }
  const { properties = {} } = schemas[lastPart(requestBody?.content['application/json'].schema.$ref)] ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description = '', examples = [] }]) => [
      name,
      { description, example: examples[0] },
    ]),
  );
};

/** What each resource is. */
export const tagDescriptions: Readonly<Record<string, string>> = Object.fromEntries(
  openapi.tags.map(({ name, description }) => [name, description]),
);
