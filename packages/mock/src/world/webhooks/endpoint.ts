import type { Secret, Signature } from '@confab/webhooks';

/** An endpoint that events are delivered to. */
export interface Endpoint {
  /** The http or https URL that deliveries are posted to. */
  readonly url: string;
  /** The secret that deliveries are signed with. A string is used as UTF-8 bytes, unless the scheme decodes it. */
  readonly secret: Secret;
  /**
   * The header and the encoding of the signature, or a scheme such as `standardWebhooks()`. All attempts and duplicates
   * of an event have the same signed id.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: Signature | undefined;
  /**
   * Headers to send with each delivery, such as `authorization`. Those of the signature and `idHeader` take precedence.
   * @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The name of a header for the id of the event, by which receivers can tell duplicates: the same for all attempts,
   * copies and redeliveries of an event, and {@link Delivery.messageId}. It is not signed, unless the scheme signs it.
   * @default none
   */
  readonly idHeader?: string | undefined;
  /**
   * Milliseconds to wait before each retry. After the last one, the delivery has failed.
   * @default [1_000, 5_000, 30_000, 120_000, 600_000]
   */
  readonly retries?: readonly number[] | undefined;
  /**
   * Milliseconds on the mock's clock after which an attempt without a response has failed; `Infinity` for no limit. While
   * `flush()` waits, they pass by themselves once the receiver has been silent for a second of real time.
   * @default 10_000
   */
  readonly timeout?: number | undefined;
  /**
   * How many attempts may be under way at once; further ones wait.
   * @default 10
   */
  readonly concurrency?: number | undefined;
  /**
   * Receives deliveries within this process instead of over the network: `webhooks.fetch`.
   * @default the platform's `fetch`
   */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** An {@link Endpoint} with its defaults filled in. */
export type CompleteEndpoint = {
  readonly [Name in Exclude<keyof Endpoint, 'idHeader'>]-?: Exclude<Endpoint[Name], undefined>;
} & { readonly idHeader: string | undefined };
