import { addCallSite } from '../errors/call-site.ts';
import type { Answer } from './read-outcome/decode-envelope.ts';

/** What is known of the response besides its data. */
export interface ResponseInfo {
  readonly status: number;
  /** Lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** How often the request was sent. */
  readonly attempts: number;
}

/** An answer, and the way to its data. */
export interface Reply<T> {
  readonly answer: Answer;
  /** @throws {@link InvalidResponseError} when the answer is no success envelope, or in strict validation. */
  readonly decode: () => T;
}

/** Of the body as it travelled: untrue of one that was read and decompressed. */
const OF_TRANSFER = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

const ofBodyAsRead = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).filter(([name]) => !OF_TRANSFER.has(name));

/**
 * A promise of the data of a response, with two ways to the response itself. The request is sent at once, and
 * once, however many of the three are used.
 *
 * @example
 * ```ts
 * const lead = await confab.leads.get(id);
 * const { data, response } = await confab.leads.get(id).withResponse();
 * const raw = await confab.leads.get(id).asResponse();
 * ```
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #reply: Promise<Reply<T>>;

  /** What `then` makes is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(reply: Promise<Reply<T>>) {
    const site = new Error();
    super((resolve, reject) => {
      reply
        .then(({ decode }) => resolve(decode()))
        .catch((error: unknown) => reject(addCallSite(error, site)));
    });
    this.#reply = reply;
  }

  /** The data, and status, headers and number of attempts beside it. Rejects as the promise itself does. */
  async withResponse(): Promise<{ data: T; response: ResponseInfo }> {
    const data = await this;
    const { status, headers, attempts } = (await this.#reply).answer;
    return { data, response: { status, headers, attempts } };
  }

  /**
   * The response as it came, its body already read. It resolves for any success, also for one whose body cannot be
   * decoded, and rejects when the API answered with an error.
   */
  async asResponse(): Promise<Response> {
    // Whoever asks for the raw response has taken on a body that cannot be decoded. Any other failure is met below, with
    // the call site that the promise has given it by then.
    await this.catch(() => {});
    const { status, headers, text } = (await this.#reply).answer;
    // Some statuses must not have a body, not even an empty one.
    return new Response(text === '' ? null : text, { status, headers: ofBodyAsRead(headers) });
  }
}
