import { naming } from '../errors/naming.ts';
import type { DedupeRules, VerifiedDelivery } from './dedupe-options.ts';
import { storeKey } from './store-key.ts';

/** Returns the key that all deliveries of one event share; undefined if nothing identifies the event. */
export type KeyOf = (delivery: VerifiedDelivery) => Promise<string | undefined>;

/** Derives keys by the user's function, or from the id that the scheme signs. */
export const createKeyOf = (rules: DedupeRules | undefined): KeyOf => {
  const key = rules?.key;
  // A signed id needs no hash of the body, because no attacker can choose it: docs/decisions/0205.
  return async (delivery) =>
    key ? naming('dedupe.key()', () => storeKey(key(delivery), delivery.body)) : delivery.id;
};
