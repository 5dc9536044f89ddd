import type { OperationId, PaginationMeta } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ResourceName } from '../world/resources/names.ts';
import type { MockRows } from '../world/resources/resources.ts';
import type { Collection } from '../world/store/collection.ts';
import type { MockRow, Range } from '../world/store/table.ts';
import type { World } from '../world/world.ts';

type Operations = typeof operations;

type Part<Id extends OperationId, Name extends 'query' | 'body'> =
  Operations[Id] extends Record<Name, infer Schema extends z.core.$ZodType> ? z.output<Schema> : undefined;

/** The input of an operation: the checked parts of the request, and the row whose id is in the path. */
interface Input<Id extends OperationId> {
  readonly query: Part<Id, 'query'>;
  readonly body: Part<Id, 'body'>;
  readonly row: Id extends `${infer Name extends ResourceName}.${string}`
    ? Readonly<MockRows[Name]>
    : undefined;
}

/** The result of an operation: the fields of the envelope besides `success`. */
export type Output<Id extends OperationId> = Omit<z.output<Operations[Id]['response']>, 'success'>;

/**
 * One operation of the service. It awaits nothing between its checks and its changes, so no other request runs in between.
 */
export type OperationHandler<Id extends OperationId> = (
  world: World,
  input: Input<Id>,
) => Output<Id> | Promise<Output<Id>>;

/** The operations of one resource. */
export type Handlers<Resource extends string> = {
  readonly [Id in Extract<OperationId, `${Resource}.${string}`>]: OperationHandler<Id>;
};

/** Reads the contract's default of a parameter. */
export const readDefault = (schema: z.core.$ZodType): number => Number(z.toJSONSchema(schema).default);

// All lists have the same defaults.
const { shape } = operations['leads.list'].query;
const LIMIT = readDefault(shape.limit);
const OFFSET = readDefault(shape.offset);

interface ListQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly pipelineId?: string | undefined;
}

/** Returns a page of a list with its `meta`. */
export const listPage = <T extends MockRow>(
  { table }: Pick<Collection<T>, 'table'>,
  { limit = LIMIT, offset = OFFSET, pipelineId, ...filters }: ListQuery,
  range: Pick<Range<T>, 'order' | 'matching'>,
): { readonly data: T[]; readonly meta: PaginationMeta } => {
  const equals = { ...filters, pipelineId: pipelineId?.toLowerCase() };
  const page = table.page(equals, { ...range, limit, offset });
  return { data: [...page.rows], meta: { total: page.total, limit, offset } };
};
