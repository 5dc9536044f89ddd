import { anyValue, CONNECTION_HEADERS, integerFrom, optionProblem } from '@confab/internal';
import type { Secret, Signature } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { Checks } from '../../errors/check.ts';
import {
  areHeaders,
  checkObject,
  checkThat,
  firstProblem,
  isUrl,
  positive,
  throwIfInvalid,
} from '../../errors/check.ts';
import { readMessage } from '../../errors/failure-reason.ts';
import { invalidArgument } from '../../errors/mock-error.ts';
import { areRetries, DEFAULT_RETRIES } from './retry.ts';

/** An endpoint that events are delivered to. */
export interface Endpoint {
  /** The http or https URL that deliveries are posted to. */
  readonly url: string;
  /** The secret that signs deliveries. A string stands for its UTF-8 bytes, unless the scheme decodes it. */
  readonly secret: Secret;
  /**
   * The header and the encoding of the signature, or a scheme such as `standardWebhooks()`. If the scheme signs an id, all
   * attempts and duplicates of an event have the same one.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: Signature | undefined;
  /**
   * Headers to send with each delivery, such as `authorization`. The headers of the signature and `idHeader` take
   * precedence.
   * @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The name of a header for the id of the event, {@link Delivery.messageId}, by which receivers can recognize duplicates:
   * all attempts, copies and redeliveries of an event have the same id. It is not signed, unless the scheme signs it.
   * @default none
   */
  readonly idHeader?: string | undefined;
  /**
   * Milliseconds to wait before each retry, for at most 100 retries. If the last one fails too, so has the delivery.
   * @default [1_000, 5_000, 30_000, 120_000, 600_000]
   */
  readonly retries?: readonly number[] | undefined;
  /**
   * Milliseconds of real time, even on the virtual clock, after which an attempt without a response fails; `Infinity` for
   * no limit. To test a receiver that stays silent, use a short time, such as 50.
   * @default 10_000
   */
  readonly timeout?: number | undefined;
  /**
   * How many attempts may be in progress at once. Further attempts wait.
   * @default 10
   */
  readonly concurrency?: number | undefined;
  /**
   * Receives deliveries within this process instead of over the network, such as `webhooks.fetch`.
   * @default the platform's `fetch`
   */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** An {@link Endpoint} with its defaults. */
export type CompleteEndpoint = {
  readonly [Name in Exclude<keyof Endpoint, 'idHeader'>]-?: Exclude<Endpoint[Name], undefined>;
} & { readonly idHeader: string | undefined };

/** An endpoint, and the id that it was added with. */
export interface AddedEndpoint extends CompleteEndpoint {
  readonly id: string;
}

/** Accepts the name of a header, unless only the connection can set it. */
const isHeaderName = checkThat(
  (name) =>
    typeof name === 'string' &&
    areHeaders('', { [name]: '' }) === undefined &&
    !CONNECTION_HEADERS.includes(name.toLowerCase()),
  'the name of a header that the connection does not set itself',
);

const CHECKS: Checks<Endpoint> = {
  url: isUrl(),
  secret: (name, value) =>
    Array.isArray(value)
      ? `\`${name}\` must be a single secret: only receivers may have several.`
      : undefined,
  signature: anyValue,
  headers: (name, value) =>
    areHeaders(name, value) ??
    firstProblem(value as object, (header) => isHeaderName(`${name}.${header}`, header)),
  idHeader: isHeaderName,
  retries: areRetries,
  timeout: positive('milliseconds'),
  concurrency: integerFrom(1),
  fetch: checkThat((value) => typeof value === 'function', 'a function, such as webhooks.fetch'),
};

/** Taken before msw or a test patches the global one, which must not intercept deliveries. */
const platformFetch = globalThis.fetch;

const DEFAULTS: Omit<CompleteEndpoint, 'url' | 'secret'> = {
  signature: { header: 'x-webhook-signature', encoding: 'hex' },
  headers: {},
  idHeader: undefined,
  retries: DEFAULT_RETRIES,
  timeout: 10_000,
  concurrency: 10,
  fetch: platformFetch,
};

/**
 * Checks an endpoint and fills in its defaults.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
export const toEndpoint = (endpoint: Endpoint): CompleteEndpoint => {
  checkObject('webhooks.add()', endpoint, "{ url: 'http://127.0.0.1:3000', secret: '…' }");
  throwIfInvalid(
    optionProblem('endpoint field', endpoint, CHECKS, { prefix: 'endpoint.', required: ['url'] }),
  );
  const given = Object.entries(endpoint).filter(([, value]) => value !== undefined);
  const complete: CompleteEndpoint = {
    ...DEFAULTS,
    ...(Object.fromEntries(given) as typeof endpoint & typeof DEFAULTS),
  };
  const { url, secret, signature, headers, retries } = complete;
  try {
    // A receiver refuses a secret or signature that would fail at the first delivery.
    createWebhooks({ secret, signature });
  } catch (error) {
    throw invalidArgument(`The endpoint is invalid: ${readMessage(error)}`);
  }
  return {
    ...complete,
    url: String(url),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    retries: [...retries],
  };
};

/** An endpoint as {@link Mock.webhooks} lists it: without its secret and its headers, which may contain tokens. */
export interface ListedEndpoint {
  /** Its id, for `webhooks.remove()`. */
  readonly id: string;
  /** The URL that deliveries are posted to. */
  readonly url: string;
  /** The header and the encoding of the signature, or a scheme. */
  readonly signature: Signature;
  /** The name of the header for the id of the event; `undefined` if there is none. */
  readonly idHeader: string | undefined;
  /** Milliseconds to wait before each retry. */
  readonly retries: readonly number[];
  /** Milliseconds of real time after which an attempt without a response has failed. */
  readonly timeout: number;
  /** How many attempts may be in progress at once. */
  readonly concurrency: number;
}
