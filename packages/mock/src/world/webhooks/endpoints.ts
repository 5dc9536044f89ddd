import { anyValue, CONNECTION_HEADERS, optionProblem, typeName } from '@confab/internal';
import type { Secret, Signature } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { Check, Checks } from '../../errors/check.ts';
import { integerFrom, isString, isWait, must, refuse, shown, withoutPassword } from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';

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

const isHeader = (name: string, value: string): boolean => {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
};

/** Says why a value is not the name of a header to send, to follow its name in a message; `undefined` if it is one. */
const headerNameProblem = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !isHeader(value, '')) {
    return `must be the name of a header, got ${shown(value)}`;
  }
  return CONNECTION_HEADERS.includes(value.toLowerCase())
    ? `must not be ${shown(value)}, because only the connection can set that header`
    : undefined;
};

const areHeaders: Check = (name, headers) => {
  if (typeName(headers) !== 'an object') {
    return `\`${name}\` must be an object of names and values, got ${typeName(headers)}`;
  }
  const problems = Object.entries(headers as object).map(([header, value]) => {
    const problem = headerNameProblem(header);
    if (problem !== undefined) {
      return `Each name in \`${name}\` ${problem}`;
    }
    if (typeof value === 'string' && isHeader(header, value)) {
      return undefined;
    }
    // The value is not shown: it may be a token.
    return typeof value === 'string'
      ? `\`${name}.${header}\` contains characters not allowed in a header`
      : `\`${name}.${header}\` must be a string, got ${typeName(value)}`;
  });
  return problems.find((problem) => problem !== undefined);
};

const isUrl: Check = (name, value) => {
  const url = URL.parse(String(value));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return `\`${name}\` must be an http or https URL, got ${shown(withoutPassword(String(value)))}`;
  }
  return url.username !== '' || url.password !== ''
    ? `\`${name}\` must not contain a user name or password, because fetch refuses them`
    : undefined;
};

const areRetries: Check = (name, value) =>
  must(Array.isArray, 'an array of milliseconds, such as [100, 1_000]')(name, value) ??
  (value as unknown[]).map((ms, at) => isWait(`${name}[${at}]`, ms)).find((problem) => problem !== undefined);

const CHECKS: Checks<Endpoint> = {
  url: isUrl,
  secret: (name, value) =>
    Array.isArray(value) ? `\`${name}\` must be a single secret: only receivers may have several` : undefined,
  signature: anyValue,
  headers: areHeaders,
  idHeader: (name, value) => {
    const problem = headerNameProblem(value);
    return problem && `\`${name}\` ${problem}`;
  },
  retries: areRetries,
  timeout: must((ms) => typeof ms === 'number' && ms > 0, 'milliseconds (more than 0)'),
  concurrency: integerFrom(1),
  fetch: must((value) => typeof value === 'function', 'a function, such as webhooks.fetch'),
};

const SIGNATURE: Signature = { header: 'x-webhook-signature', encoding: 'hex' };
const RETRIES = [1_000, 5_000, 30_000, 120_000, 600_000];
const TIMEOUT = 10_000;
const CONCURRENCY = 10;

/** Taken before anything patches the global one: a delivery is not a request to intercept. */
const platformFetch = globalThis.fetch;

/**
 * Checks an endpoint and fills in its defaults.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
const toEndpoint = (endpoint: Endpoint): CompleteEndpoint => {
  refuse(optionProblem('endpoint field', endpoint, CHECKS, { prefix: 'endpoint.', required: ['url'] }));
  const {
    url,
    secret,
    signature = SIGNATURE,
    headers = {},
    idHeader,
    retries = RETRIES,
    timeout = TIMEOUT,
    concurrency = CONCURRENCY,
    fetch = platformFetch,
  } = endpoint;
  try {
    // A receiver with these options refuses at once what would otherwise fail at the first delivery.
    createWebhooks({ secret, signature });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`The endpoint is invalid: ${reason}`);
  }
  return {
    url: String(url),
    secret,
    signature,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    idHeader,
    retries: [...retries],
    timeout,
    concurrency,
    fetch,
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
  /** Milliseconds on the mock's clock after which an attempt without a response has failed. */
  readonly timeout: number;
  /** How many attempts may be under way at once. */
  readonly concurrency: number;
}

/** An endpoint, and the id that it was added with. */
export interface AddedEndpoint extends CompleteEndpoint {
  readonly id: string;
}

/** The most endpoints at once: each event is delivered to all of them. */
const MAX_ENDPOINTS = 100;

/** The endpoints that events are delivered to. */
export class Endpoints {
  #all: readonly AddedEndpoint[] = [];
  #added = 0;

  get all(): readonly AddedEndpoint[] {
    return this.#all;
  }

  /** The endpoints without what must not leave the process. */
  list(): readonly ListedEndpoint[] {
    return this.#all.map(({ secret: _, fetch: __, headers: ___, ...listed }) => listed);
  }

  /** @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid, or there are too many. */
  add(endpoint: Endpoint): string {
    const complete = toEndpoint(endpoint);
    if (this.#all.length >= MAX_ENDPOINTS) {
      throw invalidArgument(
        `This mock already has ${MAX_ENDPOINTS} endpoints. Remove one with webhooks.remove() first.`,
      );
    }
    this.#added += 1;
    const id = `endpoint_${this.#added}`;
    this.#all = [...this.#all, { ...complete, id }];
    return id;
  }

  remove(id: string): boolean {
    refuse(isString('id', id));
    const before = this.#all.length;
    this.#all = this.#all.filter((endpoint) => endpoint.id !== id);
    return this.#all.length < before;
  }

  load(all: readonly AddedEndpoint[]): void {
    this.#all = all;
  }
}
