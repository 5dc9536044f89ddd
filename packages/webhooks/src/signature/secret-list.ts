import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { Secret } from './secret.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/** One secret, or a list of them during a rotation. */
export type Secrets = Secret | readonly (Secret | undefined)[];

/** One secret of a receiver. */
export interface IndexedSecret {
  /** Its index in the user's list, in which gaps count. */
  readonly index: number;
  readonly bytes: Bytes;
}

/**
 * Returns the key of each secret. In a list, `undefined` is skipped, because the variable of the old secret is unset
 * between rotations.
 *
 * @throws {@link WebhookConfigurationError} When there is no secret, or one of them is invalid.
 */
export const secretList = (secrets: Secrets, key: SignatureScheme['key']): IndexedSecret[] => {
  if (!Array.isArray(secrets)) {
    return [{ index: 0, bytes: key(secrets as Secret) }];
  }
  const list = (secrets as readonly (Secret | undefined)[]).flatMap((secret, index) =>
    secret === undefined ? [] : [{ index, bytes: key(secret, `secret[${index}]`) }],
  );
  if (list.length === 0) {
    throw new WebhookConfigurationError('secret is an empty list. Is its environment variable set?');
  }
  return list;
};
