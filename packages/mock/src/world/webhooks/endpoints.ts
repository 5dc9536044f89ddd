import type { Signature } from '@confab/webhooks';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import type { CompleteEndpoint, Endpoint } from './endpoint.ts';
import { toEndpoint } from './to-endpoint.ts';

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
const MOST = 100;

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
    if (this.#all.length >= MOST) {
      throw invalidArgument(
        `This mock already has ${MOST} endpoints. Remove one with webhooks.remove() first.`,
      );
    }
    this.#added += 1;
    const id = `endpoint_${this.#added}`;
    this.#all = [...this.#all, { ...complete, id }];
    return id;
  }

  remove(id: string): boolean {
    const before = this.#all.length;
    this.#all = this.#all.filter((endpoint) => endpoint.id !== id);
    return this.#all.length < before;
  }

  load(all: readonly AddedEndpoint[]): void {
    this.#all = all;
  }
}
