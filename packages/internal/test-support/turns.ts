// Taken when this module is loaded, which fake timers put in place later do not change.
const { setImmediate } = globalThis;

/** Lets the event loop turn, for everything that can go on without time passing. */
export const turns = async (count = 1): Promise<void> => {
  for (let turned = 0; turned < count; turned += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
};
