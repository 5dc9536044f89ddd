import type { BrowserContext, Page } from '@playwright/test';

/** The URL of the page of the tests, which has a different origin than the API. */
export const APP = 'https://app.test';

/** Makes an empty page appear at {@link APP}, without a server. */
export const serveApp = (target: BrowserContext | Page): Promise<unknown> =>
  target.route(`${APP}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>The app</h1>' }));

/** Makes a request from within a page, and returns what the page can see of the outcome. */
export const fetchIn = (
  page: Page,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  path: string,
  request: { readonly method?: string; readonly body?: object; readonly credentials?: 'include' } = {},
) =>
  page.evaluate(
    async ({ url, apiKey, body, ...init }) => {
      const controller = new AbortController();
      addEventListener('abort-requests', () => controller.abort());
      try {
        const response = await fetch(url, {
          ...init,
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
          signal: controller.signal,
        });
        const text = await response.text();
        return {
          status: response.status,
          body: text === '' ? undefined : JSON.parse(text),
          remaining: response.headers.get('x-ratelimit-remaining'),
          retryAfter: response.headers.get('retry-after'),
        };
      } catch (error) {
        return { error: (error as Error).name };
      }
    },
    { url: `${baseUrl}/api/v2/public/${path}`, apiKey, ...request },
  );
