import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { Secret } from './secret.ts';
import { secretBytes } from './secret.ts';

/** One secret or several, as a receiver is given them. */
export type Secrets = Secret | readonly (Secret | undefined)[];

/** One of the secrets of a receiver. */
export interface IndexedSecret {
  /** Its place in the list that the user gave, gaps included. */
  readonly index: number;
  readonly bytes: Bytes;
}

/**
 * The bytes of one secret, or of several during a rotation. In a list, `undefined` is left out: between rotations,
 * the variable with the old secret is not set.
 *
 * @throws {@link WebhookConfigurationError} if there is none, or if one cannot be used.
 */
export const secretList = (secrets: Secrets): IndexedSecret[] => {
  if (!Array.isArray(secrets)) {
    return [{ index: 0, bytes: secretBytes(secrets as Secret) }];
  }
  const list = (secrets as readonly (Secret | undefined)[]).flatMap((secret, index) =>
    secret === undefined ? [] : [{ index, bytes: secretBytes(secret, `secret[${index}]`) }],
  );
  if (list.length === 0) {
    throw new WebhookConfigurationError(
      `secret is ${secrets.length === 0 ? 'an empty list' : 'a list of undefined'}. Pass at least one. Is its environment variable set?`,
    );
  }
  return list;
};
