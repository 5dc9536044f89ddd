import type { Secret } from './secret.ts';
import type { SignatureOptions } from './signature-options.ts';

/** The signed parts of a delivery, as a scheme reads them from the headers. They are not verified yet. */
export interface SignedParts {
  /** The signatures, 32 bytes each. One of them must match. */
  readonly signatures: readonly Uint8Array[];
  /** The text that is signed before the body. */
  readonly preamble: string;
  /** The digits of the signed Unix time in seconds, if the scheme signs one. */
  readonly timestamp?: string | undefined;
  /** The signed id of the delivery, if the scheme signs one. */
  readonly id?: string | undefined;
}

/** The values that a scheme signs in addition to the body. */
export interface SignedValues {
  /** The Unix time in seconds. */
  readonly timestamp: number;
  /** The id of the delivery. Schemes that sign an id generate one if it is missing. */
  readonly id: string | undefined;
}

/**
 * A signature scheme with its code. Create one with `standardWebhooks()` or `timestamped()`, and pass it as the
 * `signature` option. Its methods are for `createWebhooks`, `sign` and `detectSignature`.
 */
export interface SignatureScheme {
  /** The code that creates the scheme, such as `standardWebhooks()`. */
  readonly source: string;
  /** Whether each delivery has a signed id, which `dedupe` then uses as the key. */
  readonly signsId: boolean;
  /** Seconds by which the signed timestamp may differ from the current time. */
  readonly toleranceSeconds: number;
  /** Converts a secret to the key of HMAC. `name` is the name of the option, for error messages. */
  key(secret: Secret, name?: string): Uint8Array<ArrayBuffer>;
  /** Reads the signed parts from the headers of a delivery. */
  read(headers: unknown): SignedParts;
  /** Returns the headers of a delivery. `digest` computes the HMAC of a preamble and the body. */
  write(
    values: SignedValues,
    digest: (preamble: string) => Promise<Uint8Array>,
  ): Promise<Record<string, string>>;
}

/** How deliveries are signed: a header and its format, or a scheme such as `standardWebhooks()`. */
export type Signature = SignatureOptions | SignatureScheme;

/** Whether a signature option is a scheme that brings its own code. */
export const isScheme = (signature: Signature | undefined): signature is SignatureScheme =>
  typeof (signature as Partial<SignatureScheme> | undefined)?.read === 'function';
