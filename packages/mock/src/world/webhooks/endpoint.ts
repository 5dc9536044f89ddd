import type { Secret, SignatureOptions } from '@confab/webhooks';

/** Where events are delivered to. */
export interface Endpoint {
  /** Where deliveries are posted. */
  readonly url: string;
  /** What they are signed with; a string stands for its UTF-8 bytes. */
  readonly secret: Secret;
  /**
   * Header and encoding of the signature.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: SignatureOptions;
  /**
   * Milliseconds to wait before each further attempt; after the last one, the delivery is given up.
   * @default [1_000, 5_000, 30_000, 120_000, 600_000]
   */
  readonly retries?: readonly number[];
  /**
   * Milliseconds on the mock's clock after which an attempt without an answer has failed; `Infinity` for never. While
   * `flush()` waits, they pass by themselves once the receiver has been silent for a second of real time.
   * @default 10_000
   */
  readonly timeout?: number;
  /**
   * How many attempts may be on their way to it at once; further ones wait for their turn.
   * @default 10
   */
  readonly concurrency?: number | undefined;
  /**
   * Takes deliveries within this process, instead of the network: `webhooks.fetch`.
   * @default the platform's fetch
   */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** An {@link Endpoint} with nothing left out. */
export type CompleteEndpoint = Required<Endpoint> & { readonly concurrency: number };
