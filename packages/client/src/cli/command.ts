import type { Operation, OperationId } from '../contract/index.ts';
import { operations } from '../contract/index.ts';
import type { OperationShapes, Shape } from '../contract/shape.ts';
import { shapes } from '../contract/shapes.ts';
import { operationDescriptions } from '../openapi/operation-descriptions.ts';
import type { FieldFlag } from './field-flag.ts';
import { fieldFlags } from './field-flag.ts';
import { kebab } from './kebab.ts';

/** An operation of the API as a command. */
export interface Command {
  readonly id: OperationId;
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
    ...fieldFlags('query', operation.query, shapes[id].query),
    ...fieldFlags('body', operation.body, shapes[id].body),
  ];
  const { summary, does } = operationDescriptions[id];
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

/** One command per operation of the contract. */
export const commands: readonly Command[] = (Object.keys(operations) as OperationId[]).map(commandOf);

/** The resources: `conversations`, `leads`, … */
export const resources: readonly string[] = [...new Set(commands.map(({ resource }) => resource))];
