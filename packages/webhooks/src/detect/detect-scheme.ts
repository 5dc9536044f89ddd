import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { decodeSignature, SIGNATURE_ENCODINGS } from '../signature/encoding.ts';
import { createHmac, equalDigests } from '../signature/hmac.ts';
import type { SignatureScheme, SignedParts } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';
import type { Attempts } from './attempts.ts';
import type { SecretForm } from './secret-forms.ts';
import { secretForms } from './secret-forms.ts';
import { isUnixTime, SEPARATORS } from './signed-preambles.ts';

type Pair = readonly [name: string, value: string];

/** A scheme that could have signed the delivery, and the keys to try with it. */
interface Candidate {
  readonly scheme: SignatureScheme;
  readonly keys: ReadonlyMap<SecretForm, Bytes>;
}

/** The headers of a delivery. */
export interface HeadersToSearch {
  /** All of them, because any could hold the timestamp or the id. */
  readonly headers: readonly Pair[];
  /** Those that could hold a signature. */
  readonly signed: readonly Pair[];
}

const DELIMITERS = [',', ', ', ';', '; ', '&', '|', ' '];

/** Each field adds candidates, and a stranger may have sent them. */
const MAX_FIELDS = 16;

/** Returns the keys of a scheme that decodes secrets. Some senders use the characters of the secret instead. */
const decodedKeys = (scheme: SignatureScheme, secret: Secret): Map<SecretForm, Bytes> => {
  const keys = new Map<SecretForm, Bytes>();
  try {
    keys.set('as given', scheme.key(secret));
  } catch {
    // Not base64, so this sender reads the secret in another way.
  }
  const hex = secretForms(secret).get('hex');
  if (hex !== undefined) {
    keys.set('hex', hex);
  }
  if (typeof secret === 'string') {
    keys.set('UTF-8', encodeText(secret));
  }
  return keys;
};

const standardCandidates = ([name]: Pair, secret: Secret): Candidate[] => {
  const [, headerPrefix] = /^([\w-]+)-signature$/.exec(name) ?? [];
  if (headerPrefix === undefined) {
    return [];
  }
  const scheme = standardWebhooks(headerPrefix === 'webhook' ? {} : { headerPrefix });
  return [{ scheme, keys: decodedKeys(scheme, secret) }];
};

/** Lists the fields of a header such as `t=1700000000,v1=9f86…`. */
const fieldsOf = (value: string, delimiter: string): Pair[] => {
  const fields = value.split(delimiter).map((item) => /^(\w{1,64})=(.+)$/.exec(item));
  return fields.length > MAX_FIELDS
    ? []
    : fields.flatMap((field) => (field ? [[field[1], field[2]] as Pair] : []));
};

const timestampedCandidates = ([header, value]: Pair, secret: Secret): Candidate[] => {
  const keys = secretForms(secret);
  return DELIMITERS.flatMap((delimiter) => {
    const fields = fieldsOf(value, delimiter);
    const times = fields.filter(([, text]) => isUnixTime(text));
    return times.flatMap(([timestampField]) =>
      fields.flatMap(([signatureField, text]) =>
        SIGNATURE_ENCODINGS.filter((encoding) => decodeSignature(text, encoding)).flatMap((encoding) =>
          // timestamped() refuses an empty one.
          SEPARATORS.filter((separator) => separator !== '').map((separator) => ({
            scheme: timestamped({
              header,
              ...(timestampField !== 't' && { timestampField }),
              ...(signatureField !== 'v1' && { signatureField }),
              ...(delimiter !== ',' && { delimiter }),
              ...(separator !== '.' && { separator }),
              ...(encoding !== 'hex' && { encoding }),
            }),
            keys,
          })),
        ),
      ),
    );
  });
};

const partsOf = (scheme: SignatureScheme, headers: readonly Pair[]): SignedParts | undefined => {
  try {
    return scheme.read(headers);
  } catch {
    return undefined;
  }
};

/**
 * Finds the scheme that signed a delivery: Standard Webhooks with any prefix, or a header with a timestamp.
 *
 * @throws {@link WebhookConfigurationError} When the secret is invalid.
 */
export const detectScheme = async (
  { headers, signed }: HeadersToSearch,
  body: Bytes,
  secret: Secret,
  attempts: Attempts,
): Promise<{ readonly scheme: SignatureScheme; readonly secret: SecretForm } | undefined> => {
  for (const header of signed) {
    for (const { scheme, keys } of [
      ...standardCandidates(header, secret),
      ...timestampedCandidates(header, secret),
    ]) {
      // Reading the headers takes time, too, even if the scheme refuses them.
      if (!attempts.next(0)) {
        return undefined;
      }
      const parts = partsOf(scheme, headers);
      for (const [form, bytes] of parts ? keys : []) {
        if (!attempts.next(body.byteLength)) {
          return undefined;
        }
        const digest = await createHmac(bytes)(parts?.preamble ?? '', body);
        if (parts?.signatures.some((signature) => equalDigests(digest, signature))) {
          return { scheme, secret: form };
        }
      }
    }
  }
  return undefined;
};
