/** Lets the event loop turn, so that whatever can go on without time passing does. */
export const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};
