import { createClient } from '@confab/client';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';

/** Reads the same data for all visitors, and again for each request. */
export const fresh = createClient({ fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }) });

/** Sends the key of the visitor. */
export const visitors = createClient({
  apiKey: async () => (await cookies()).get('key')?.value ?? redirect('/login'),
});

/** Sends headers of the visitor. */
export const traced = createClient({
  headers: async () => ({ 'x-trace': (await headers()).get('x-trace') ?? 'none' }),
});
