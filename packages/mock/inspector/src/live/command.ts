import type { RouteId } from '../../../src/control/routes.ts';
import type { CallInput } from '../api/call.ts';
import { call } from '../api/call.ts';
import { attempt } from './notices.ts';
import type { Topic } from './topics.ts';
import { changed } from './topics.ts';

interface Command extends CallInput {
  /** The parts of the mock that it changes. */
  readonly changes: readonly Topic[];
  /** The message of its success, where the page does not show it already. */
  readonly done?: string;
}

/** Calls a control endpoint for a button, and says what was done or why it failed. Resolves to whether it succeeded. */
export const command = (id: RouteId, { changes, done, ...input }: Command): Promise<boolean> =>
  attempt(async () => {
    await call(id, input);
    changed(...changes);
    return done;
  });
