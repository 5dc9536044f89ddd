import type { Operation, OperationId } from '../contract/index.ts';
import { operations } from '../contract/index.ts';
import { describeOperation } from './documented.ts';
import type { FieldFlag } from './field-flag.ts';
import { fieldFlags } from './field-flag.ts';
import { kebab } from './kebab.ts';
import type { OperationShapes, Shape } from './shapes/shape.ts';
import { shapes } from './shapes/shapes.ts';

/** An operation of the API, or `leads.ensure`, as a command. */
export interface Command {
  readonly id: OperationId | 'leads.ensure';
  /** `leads`. */
  readonly resource: string;
  /** `send-message`. */
  readonly method: string;
  /** `leads send-message`. */
  readonly name: string;
  readonly operation: Operation;
  readonly shapes: OperationShapes;
  /** The path parameters, which are arguments. */
  readonly params: readonly (readonly [name: string, shape: Shape])[];
  readonly flags: readonly FieldFlag[];
  /** Whether it returns a list with pages. */
  readonly paged: boolean;
  readonly summary: string;
  readonly does: string;
}

const commandOf = (id: OperationId): Command => {
  const operation: Operation = operations[id];
  const [resource = '', method = ''] = id.split('.').map(kebab);
  const flags = [
    ...fieldFlags(id, 'query', operation.query, shapes[id].query),
    ...fieldFlags(id, 'body', operation.body, shapes[id].body),
  ];
  const { summary, does } = describeOperation(id);
  return {
    id,
    resource,
    method,
    name: `${resource} ${method}`,
    operation,
    shapes: shapes[id],
    params: Object.entries(shapes[id].params?.properties ?? {}),
    flags,
    paged: flags.some(({ flag, place }) => flag === 'offset' && place === 'query'),
    summary,
    does,
  };
};

const create = commandOf('leads.create');
const { data: leadShape } = create.shapes.response.properties ?? {};

/** The request of `leads create`, but a lead that exists is found. */
const ensure: Command = {
  ...create,
  ...{ id: 'leads.ensure', method: 'ensure', name: 'leads ensure' },
  summary: 'Create a lead, or find the one that exists',
  does: 'Creates a lead, or finds the one that has the phone number, which must begin with + and the country code. An existing lead stays as it is. The result says whether the lead was created.',
  shapes: {
    ...create.shapes,
    response: {
      type: 'object',
      properties: {
        data: {
          type: 'object',
          properties: { created: { type: 'boolean' }, ...(leadShape && { lead: leadShape }) },
        },
      },
    },
  },
};

/** One command per operation of the contract, and `leads ensure`. */
export const commands: readonly Command[] = (Object.keys(operations) as OperationId[]).flatMap((id) =>
  id === 'leads.create' ? [create, ensure] : [commandOf(id)],
);

/** The resources: `conversations`, `leads`, … */
export const resources: readonly string[] = [...new Set(commands.map(({ resource }) => resource))];
