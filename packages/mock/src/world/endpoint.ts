import { createWebhooks, type Secret, type SignatureOptions } from '@confab/webhooks';

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
   * Takes deliveries within this process, instead of the network: `webhooks.fetch`.
   * @default the platform's fetch
   */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** An {@link Endpoint} with nothing left out. */
export type CompleteEndpoint = Required<Endpoint>;

const SIGNATURE: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };
const RETRIES = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Taken before anything patches the global one: a delivery is not a request to intercept. */
const platformFetch = globalThis.fetch;

/**
 * Fills in what an endpoint leaves out.
 *
 * @throws {TypeError} For a URL that is not http or https, or a secret or signature that can't be signed with.
 */
export const toEndpoint = (given: Endpoint): CompleteEndpoint => {
  const url = URL.parse(given.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`The url of an endpoint is http or https, not ${JSON.stringify(given.url)}`);
  const endpoint = { signature: SIGNATURE, retries: RETRIES, fetch: platformFetch, ...given };
  // A receiver with these options refuses at once what would otherwise fail at the first delivery.
  createWebhooks({ secret: endpoint.secret, signature: endpoint.signature });
  return endpoint;
};
