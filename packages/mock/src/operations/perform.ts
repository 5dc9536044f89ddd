import type { OperationId } from '@confab/client/contract';
import type { World } from '../world/world.ts';
import { agents } from './agents.ts';
import { analytics } from './analytics.ts';
import { conversations } from './conversations.ts';
import { leads } from './leads.ts';
import type { OperationHandler, Output } from './operation.ts';

const handlers: { readonly [Id in OperationId]: OperationHandler<Id> } = {
  ...conversations,
  ...leads,
  ...agents,
  ...analytics,
};

/** Runs an operation with input that was checked against its contract. */
export const perform = (
  world: World,
  id: OperationId,
  input: { params: unknown; query: unknown; body: unknown },
): Output<OperationId> | Promise<Output<OperationId>> =>
  // The check of the contract guarantees this type, which the table can't express.
  (handlers[id] as unknown as (world: World, input: unknown) => Output<OperationId>)(world, input);
