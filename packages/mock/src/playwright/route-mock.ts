import { MockError } from '../errors/mock-error.ts';
import { headersForPage, isPreflight } from '../http/cors.ts';
import type { Mock } from '../mock.ts';
import { API_PATH } from '../request/incoming-request.ts';

// Nothing of Playwright is imported, not even types: this works with `playwright` and `playwright-core` too.

/** The part of Playwright's `Request` that a mock needs. */
export interface RoutedRequest {
  /** The URL. */
  url(): string;
  /** The HTTP method. */
  method(): string;
  /** All headers, those of the browser included. */
  allHeaders(): Promise<Record<string, string>>;
  /** The body; null if there is none. */
  postDataBuffer(): Uint8Array | null;
}

/** The argument of `route.fulfill`. */
export interface Fulfillment {
  /** The HTTP status. */
  status: number;
  /** The headers of the response. */
  headers: Record<string, string>;
  /** The body. */
  body?: Buffer;
}

/** The part of Playwright's `Route` that {@link routeMock} needs. */
export interface RoutedRoute {
  /** The request of the page. */
  request(): RoutedRequest;
  /** Responds to it. */
  fulfill(response: Fulfillment): Promise<void>;
  /** Aborts the request. */
  abort(errorCode: string): Promise<void>;
}

/** The part of a `BrowserContext` or a `Page` that {@link routeMock} needs. */
export interface RouteTarget {
  /** Calls a handler for requests. */
  route(matches: (url: URL) => boolean, handler: (route: RoutedRoute) => Promise<void>): Promise<unknown>;
  /** Reports the requests that fail, or that the page aborts. */
  on(event: 'requestfailed', listener: (request: RoutedRequest) => void): unknown;
}

/**
 * Resolves to the response of a mock to the request of a page. Rejects if the body breaks off, as a lost connection does,
 * and never settles if the body stalls, because `fulfill` sends only whole bodies.
 */
const respondTo = async (request: RoutedRequest, mock: Mock, signal: AbortSignal): Promise<Fulfillment> => {
  const method = request.method();
  const headers = await request.allHeaders();
  const cors = headersForPage({ method, headers });
  if (isPreflight({ method, headers })) {
    return { status: 204, headers: cors };
  }
  const response = await mock.fetch(request.url(), {
    method,
    // In HTTP/2, names that begin with a colon are not headers but parts of the request line.
    headers: Object.entries(headers).filter(([name]) => !name.startsWith(':')),
    body: request.postDataBuffer() as BodyInit | null,
    signal,
  });
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), ...cors },
    body: Buffer.from(await response.arrayBuffer()),
  };
};

/**
 * Sends the requests of a browser context, or of one page, below `/api/v2/public` of `mock.baseUrl` to a mock. All other
 * requests go where they went before. Pages of any origin may call the mock and send any headers.
 *
 * A request with the other scheme, such as `http` where `mock.baseUrl` has `https`, would go to the real service, so it is
 * refused with a warning.
 *
 * If a response of a `strict` mock breaks the contract, the page gets a 500 that describes the violation.
 *
 * @example
 * ```ts
 * import { createMock } from '@confab/mock';
 * import { routeMock } from '@confab/mock/playwright/route';
 * import { test } from '@playwright/test';
 *
 * test('two people see the same lead', async ({ browser }) => {
 *   const mock = createMock({ clock: 'system' });
 *   const [first, second] = [await browser.newContext(), await browser.newContext()];
 *   await routeMock(first, mock);
 *   await routeMock(second, mock);
 * });
 * ```
 */
export const routeMock = async (target: RouteTarget, mock: Mock): Promise<void> => {
  const scheme = new URL(mock.baseUrl).protocol;
  const inFlight = new Map<RoutedRequest, AbortController>();
  target.on('requestfailed', (request) => inFlight.get(request)?.abort());

  const handler = async (route: RoutedRoute): Promise<void> => {
    const request = route.request();
    const controller = new AbortController();
    inFlight.set(request, controller);
    try {
      await route.fulfill(await respondTo(request, mock, controller.signal));
    } catch (error) {
      // Otherwise the page would wait forever. Aborting fails if the page is gone.
      await route.abort('connectionreset').catch(() => {});
      if (error instanceof MockError && error.code === 'WRONG_ORIGIN') {
        // biome-ignore lint/suspicious/noConsole: the page sees only a failed request.
        console.warn(`confab-mock: ${error.message}`);
      }
    } finally {
      inFlight.delete(request);
    }
  };
  // With any scheme, because all of them lead to the service.
  const isOfMock = (url: URL): boolean =>
    url.href.replace(/^\w+:/, scheme).startsWith(`${mock.baseUrl}${API_PATH}/`);
  await target.route(isOfMock, handler);
};
