import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setupWorker } from 'msw/browser';
import { createRoot } from 'react-dom/client';
import { Leads } from './leads.tsx';

// The service runs inside this page: a service worker responds to the page's requests.
const mock = createMock({ data: 'demo', clock: 'system' });
await setupWorker(...mock.handlers).start({ onUnhandledFrame: 'bypass', quiet: true });

const confab = createClient({
  baseUrl: mock.baseUrl,
  apiKey: mock.apiKey,
  // The key only works with the mock in this page.
  dangerouslyAllowBrowser: true,
});

// The client retries what is safe to retry. Retries around it would multiply the attempts.
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('The page has no element #root');
}
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <Leads confab={confab} />
  </QueryClientProvider>,
);
