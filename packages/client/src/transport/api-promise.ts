import { addCallSite } from '../errors/call-site.ts';
import type { ReceivedData, ResponseInfo } from './api-response.ts';

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
  readonly #response: Promise<ReceivedData<T>>;

  /** Makes `then` return a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @internal */
  constructor(response: Promise<ReceivedData<T>>) {
    const site = new Error();
    super((resolve, reject) => {
      response
        .then(async ({ data }) => resolve(await data))
        .catch((error: unknown) => reject(addCallSite(error, site)));
    });
    this.#response = response;
  }

  /** Resolves with the data and with the status, headers and number of attempts. Rejects as the promise itself does. */
  async withResponse(): Promise<{ data: T; response: ResponseInfo }> {
    const data = await this;
    const { status, headers, attempts } = await this.#response;
    return { data, response: { status, headers, attempts } };
  }

  /**
   * Resolves with the response, whose body has already been read. It resolves for every successful response, even if
   * the body cannot be decoded, and rejects when the API returns an error response.
   */
  async asResponse(): Promise<Response> {
    // A caller who wants the raw response accepts a body that cannot be decoded. Any other failure also rejects
    // `#response`, with the call site that the promise has added by then.
    await this.catch(() => {});
    const { status, headers, text } = await this.#response;
    // Some statuses must not have a body, not even an empty one.
    return new Response(text === '' ? null : text, { status, headers: withoutTransferHeaders(headers) });
  }
}
