import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { setupWorker } from 'msw/browser';
import { createRoot } from 'react-dom/client';
import { Leads } from './leads.tsx';

// The service, inside this page: a service worker answers what the page fetches from it.
const mock = createMock({ data: 'demo', clock: 'system' });
await setupWorker(...mock.handlers).start({ onUnhandledFrame: 'bypass', quiet: true });

const confab = createClient({
  baseUrl: mock.baseUrl,
  apiKey: mock.apiKey,
  // The key opens nothing but the mock in this page.
  dangerouslyAllowBrowser: true,
});

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('The page has no #root');
}
createRoot(root).render(<Leads confab={confab} />);
