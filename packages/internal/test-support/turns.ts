// Saved when this module is loaded, so that fake timers installed later do not replace it.
const { setImmediate } = globalThis;

/** Lets the event loop turn, so that everything that needs no timer can continue. */
export const turns = async (count = 1): Promise<void> => {
  for (let turned = 0; turned < count; turned += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
};
