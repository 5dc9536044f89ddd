import { afterEach, beforeEach, expect } from 'vitest';

/** Fails every test of the file that leaves a rejection without a handler, which would end a process. */
export const expectNoUnhandledRejections = (): void => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });
  afterEach(async () => {
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
};
