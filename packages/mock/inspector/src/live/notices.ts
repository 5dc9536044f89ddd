import { signal } from '@preact/signals';

/** A message about an action of the user. */
export interface Notice {
  readonly kind: 'problem' | 'done';
  readonly text: string;
}

/** The message to show; problems stay until they are dismissed or followed by another message. */
export const notice = signal<Notice | undefined>(undefined);

const DONE_FOR = 5_000;

/** Says that an action has succeeded. */
export const sayDone = (text: string): void => {
  const done: Notice = { kind: 'done', text };
  notice.value = done;
  setTimeout(() => {
    if (notice.value === done) {
      notice.value = undefined;
    }
  }, DONE_FOR);
};

/** Says why an action has failed. */
const sayProblem = (error: unknown): void => {
  notice.value = { kind: 'problem', text: error instanceof Error ? error.message : String(error) };
};

/** Runs an action, and shows why it failed, or that it succeeded. Resolves to whether it did. */
export const attempt = async (action: () => Promise<string | undefined>): Promise<boolean> => {
  try {
    const done = await action();
    if (done !== undefined) {
      sayDone(done);
    }
    return true;
  } catch (error) {
    sayProblem(error);
    return false;
  }
};
