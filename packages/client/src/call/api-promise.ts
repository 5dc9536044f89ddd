import { addCallSite } from '../errors/confab-error.ts';
import type { CallResult, ReceivedResponse, ResponseInfo } from './call-result.ts';

/** Headers that describe the body as it was transferred, which are wrong for a body that was read and decompressed. */
const TRANSFER_HEADER = /^(?:content-encoding|content-length|transfer-encoding|connection)$/;

const withoutTransferHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).filter(([name]) => !TRANSFER_HEADER.test(name));

/**
 * A promise of the data of a response, with two methods that return the response itself. The request is sent at once,
 * and only once, whichever of the three are used.
 *
 * @example
 * ```ts
 * const lead = await confab.leads.get(id);
 * const { data, response } = await confab.leads.get(id).withResponse();
 * const raw = await confab.leads.get(id).asResponse();
 * ```
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #result: Promise<CallResult<T>>;

  /** Makes `then` return a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @internal */
  constructor(result: Promise<CallResult<T>>) {
    const site = new Error();
    super((resolve, reject) => {
      result.then(
        (done) => ('error' in done ? reject(addCallSite(done.error, site)) : resolve(done.data)),
        (error: unknown) => reject(addCallSite(error, site)),
      );
    });
    this.#result = result;
  }

  /** Resolves with the data and with the status, headers and number of attempts. Rejects as the promise itself does. */
  async withResponse(): Promise<{ data: T; response: ResponseInfo }> {
    const data = await this;
    const { status, headers, attempts } = await this.#receive();
    return { data, response: { status, headers, attempts } };
  }

  /**
   * Resolves with the response, whose body has already been read. It resolves for every successful response, even if
   * the body cannot be decoded, and rejects when the API returns an error response.
   */
  async asResponse(): Promise<Response> {
    const { status, headers, text } = await this.#receive();
    // Some statuses must not have a body, not even an empty one.
    return new Response(text === '' ? null : text, { status, headers: withoutTransferHeaders(headers) });
  }

  async #receive(): Promise<ReceivedResponse> {
    // Nobody may be waiting for the data, so its error must not count as an unhandled rejection.
    this.catch(() => {});
    const { response } = await this.#result;
    if (response === undefined) {
      await this;
    }
    return response as ReceivedResponse;
  }
}
