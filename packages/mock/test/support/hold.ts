import type { Fault, FaultTarget, Mock } from '../../src/index.ts';

/** Holds the next request of an operation in the mock until it is released, with a fault or without one. */
export const hold = (mock: Mock, operation: FaultTarget) => {
  const [arrival, held] = [Promise.withResolvers<void>(), Promise.withResolvers<Fault | undefined>()];
  mock.faults.once(operation, () => {
    arrival.resolve();
    return held.promise;
  });
  return { arrived: arrival.promise, release: held.resolve };
};
