import document from '../../openapi.json' with { type: 'json' };
import type { Operation } from '../contract/index.ts';
import { operations } from '../contract/index.ts';

/** A schema of the OpenAPI document, as far as the command uses it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface OperationObject {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

/** A path parameter, which is an argument, or a field of a query or a body, which has a flag of its own. */
export interface Field {
  /** `displayName`. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly description: string;
  readonly required: boolean;
  readonly types: readonly string[];
  readonly schema: Schema;
  /** The documented values. Other values are accepted too, unless the schema has an enum. */
  readonly values: readonly string[];
}

/** An operation of the API, or `leads.ensure`, as a command. */
export interface ApiCommand {
  /** `conversations.sendMessage`. */
  readonly id: string;
  /** `conversations`. */
  readonly resource: string;
  /** `send-message`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly operation: Operation;
  readonly params: readonly Field[];
  readonly fields: readonly Field[];
  /** Whether the operation returns a list with pages. */
  readonly paged: boolean;
}

/** Converts a name to the format of flags and commands: `displayName` becomes `display-name`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Follows the `$ref` of a part of the document. Fields beside the `$ref` take precedence. */
const resolve = <Part extends { readonly $ref?: string }>(part: Part): Part => {
  if (part.$ref === undefined) {
    return part;
  }
  const [, ...names] = part.$ref.split('/');
  const target = names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
  return { ...(target as Part), ...part };
};

const createField = (place: Field['place'], name: string, required: boolean, given: Schema): Field => {
  const schema = resolve(given);
  // In the document, only a string with known values has no type.
  const { type = 'string', description = '', anyOf = [{}] } = schema;
  const values = schema.enum ?? anyOf.flatMap((known) => resolve(known).enum ?? []);
  return { name, place, description, required, types: [type].flat(), schema, values };
};

const bodyFields = ({ requestBody }: OperationObject): Field[] => {
  const { properties = {}, required = [] } = resolve(requestBody?.content['application/json'].schema ?? {});
  return Object.entries(properties).map(([name, schema]) =>
    createField('body', name, required.includes(name), schema),
  );
};

const createCommand = (operation: Operation): ApiCommand => {
  const paths = document.paths as unknown as Record<string, Record<string, OperationObject>>;
  const described = paths[operation.path]?.[operation.method.toLowerCase()];
  if (described === undefined) {
    throw new Error(`openapi.json lacks ${operation.id}. Run pnpm --filter @confab/client run openapi.`);
  }
  const { summary, description, parameters = [] } = described;
  const [resource = '', name = ''] = operation.id.split('.').map(kebab);
  const inputs = parameters.map(resolve).map((parameter) =>
    createField(parameter.in, parameter.name, parameter.required, {
      ...parameter.schema,
      description: parameter.description,
    }),
  );
  return {
    id: operation.id,
    resource,
    name,
    summary,
    description,
    operation,
    params: inputs.filter(({ place }) => place === 'path'),
    fields: [...inputs.filter(({ place }) => place === 'query'), ...bodyFields(described)],
    paged: inputs.some((field) => field.name === 'offset'),
  };
};

/** The same request as `leads create`, but an existing lead is returned. */
const createEnsureCommand = (create: ApiCommand): ApiCommand => ({
  ...create,
  id: 'leads.ensure',
  name: 'ensure',
  summary: 'Create a lead, or find the one that exists',
  description:
    'Creates a lead, or finds the one that has the phone number, which must begin with + and the country code. An existing lead stays as it is. The result says whether the lead was created.\n\nThe key needs the scopes `write:leads` and `read:leads`.',
});

/** One command per operation of the contract, and `leads ensure`. */
export const commands: readonly ApiCommand[] = Object.values<Operation>(operations)
  .map(createCommand)
  .flatMap((command) =>
    command.id === 'leads.create' ? [command, createEnsureCommand(command)] : [command],
  );

/** The resources with their descriptions. */
export const resources: readonly { readonly name: string; readonly description: string }[] =
  document.tags.filter(({ name }) => commands.some(({ resource }) => resource === name));
