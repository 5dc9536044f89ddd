import type { OperationId } from '@confab/client/contract';
import type { World } from '../world/world.ts';
import { agents } from './agents.ts';
import { analytics } from './analytics.ts';
import { conversations } from './conversations.ts';
import { leads } from './leads.ts';
import type { OperationHandler, Output } from './operation.ts';

const typed: { readonly [Id in OperationId]: OperationHandler<Id> } = {
  ...conversations,
  ...leads,
  ...agents,
  ...analytics,
};

type AnyOutput = Output<OperationId>;

/**
 * All operations. Their input has no type here, because an id in a variable does not determine it, so it must have been
 * checked against the contract.
 */
export const handlers = typed as unknown as Readonly<
  Record<OperationId, (world: World, input: unknown) => AnyOutput | Promise<AnyOutput>>
>;
