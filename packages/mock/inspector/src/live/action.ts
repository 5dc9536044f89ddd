import { signal } from '@preact/signals';
import type { RouteId } from '../../../src/control/routes.ts';
import type { CallInput, Reply } from '../api/call.ts';
import { call, messageOf } from '../api/call.ts';
import { changed, TOPICS } from './live.ts';

interface Notice {
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

/** The message to show; problems stay until they are dismissed or followed by another message. */
export const notice = signal<Notice | undefined>(undefined);

/** Milliseconds for which a message of success is shown. */
const NOTICE_TIME = 5_000;

/** Shows that an action has succeeded. */
export const showDone = (text: string): void => {
  const done: Notice = { tone: 'good', text };
  notice.value = done;
  setTimeout(() => {
    if (notice.value === done) {
      notice.value = undefined;
    }
  }, NOTICE_TIME);
};

/** An operation that changes the mock. */
export interface Command extends CallInput {
  /** The message of its success, where the page does not show it already. */
  readonly done?: string;
}

/**
 * Calls a control endpoint that changes the mock.
 *
 * @throws An {@link Error} when the server refuses the call.
 */
export const run = async <Id extends RouteId>(
  id: Id,
  { done, ...input }: Command = {},
): Promise<Reply<Id>['data']> => {
  const { data } = await call(id, input);
  // All topics, because only the view on the screen loads again.
  changed(...TOPICS);
  if (done !== undefined) {
    showDone(done);
  }
  return data;
};

/** Runs an action of a button, and shows why it failed. Resolves to whether it succeeded. */
export const attempt = async (action: () => Promise<unknown>): Promise<boolean> => {
  try {
    await action();
    return true;
  } catch (error) {
    notice.value = { tone: 'bad', text: messageOf(error) };
    return false;
  }
};

/** {@link run} for a button. */
export const command = (id: RouteId, input?: Command): Promise<boolean> => attempt(() => run(id, input));
