import type { Confab, Lead, LeadStatus } from '@confab/client';
import { useEffect, useState } from 'react';

interface Shown {
  /** The newest leads; undefined until the first response. */
  readonly leads?: readonly Lead[];
  readonly total?: number;
  readonly error?: Error;
}

/** Keeps the leads that are shown and adds the error. */
const failed =
  (reason: unknown) =>
  (before: Shown): Shown => ({
    ...before,
    error: reason instanceof Error ? reason : new Error(String(reason)),
  });

/** Loads the leads of one status, and changes the status of a lead. */
export const useLeads = (confab: Confab) => {
  const [query, setQuery] = useState<{ status: LeadStatus; limit: number }>({ status: 'new', limit: 10 });
  const [shown, setShown] = useState<Shown>({});

  useEffect(() => {
    const left = new AbortController();
    confab.leads.list(query, { signal: left.signal }).then(
      ({ data, meta }) => setShown({ leads: data, total: meta.total }),
      (reason) => left.signal.aborted || setShown(failed(reason)),
    );
    // Aborts a request whose result is no longer needed.
    return () => left.abort();
  }, [confab, query]);

  return {
    ...shown,
    status: query.status,
    show: (status: LeadStatus) => setQuery((before) => ({ ...before, status })),
    change: (id: string, status: LeadStatus) =>
      // A new object with the same query reads the list again.
      confab.leads.update(id, { status }).then(
        () => setQuery((before) => ({ ...before })),
        (reason) => setShown(failed(reason)),
      ),
  };
};
