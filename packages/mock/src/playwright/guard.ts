import { isLoopback } from '@confab/internal';
import type { Mock } from '../mock.ts';
import { API_PATH } from '../request/incoming-request.ts';
import type { RoutedRoute, RouteTarget } from './route-mock.ts';

/** The mock of the test that runs in this process, and a line for each request that its pages sent past it. */
interface Guarded {
  readonly mock: Mock;
  readonly lines: string[];
}

let guarded: Guarded | undefined;

const isBelow = (url: URL, baseUrl: string): boolean => url.href.startsWith(`${baseUrl}${API_PATH}/`);

/** Whether a request is for the API: below the base URL of the mock, or at the path of the API on a different machine. */
const isForApi = (url: URL): boolean =>
  guarded !== undefined &&
  (isBelow(url, guarded.mock.baseUrl) ||
    (url.pathname.includes(`${API_PATH}/`) && !isLoopback(url.hostname)));

const refuseRoute = async (route: RoutedRoute): Promise<void> => {
  const url = new URL(route.request().url());
  if (guarded !== undefined) {
    const { mock, lines } = guarded;
    const [baseUrl] = url.href.split(API_PATH);
    const hint = isBelow(url, mock.baseUrl)
      ? 'its context is not routed. Call routeMock(context, mock), or use the fixtures `context` and `page`'
      : `mock.baseUrl is ${mock.baseUrl}. Set \`baseUrl: '${baseUrl}'\` in \`mockOptions\``;
    lines.push(`${route.request().method()} ${url.origin}${url.pathname} was refused: ${hint}`);
  }
  // Fails if the page was closed in the meantime.
  await route.abort('blockedbyclient').catch(() => {});
};

/**
 * Refuses the requests of a context that would go to the real service, while a mock is guarded. Routes that are added
 * later, such as those of `routeMock`, take precedence.
 */
export const guard = async (context: RouteTarget): Promise<void> => {
  // The context may be closed already.
  await context.route(isForApi, refuseRoute).catch(() => {});
};

/** Starts to refuse requests that the pages of a test send past its mock. Each one adds a line to the returned list. */
export const guardMock = (mock: Mock): readonly string[] => {
  guarded = { mock, lines: [] };
  return guarded.lines;
};

/** Lets all requests pass again. */
export const endGuard = (): void => {
  guarded = undefined;
};
