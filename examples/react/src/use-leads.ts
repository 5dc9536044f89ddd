import type { Confab, Lead, LeadStatus } from '@confab/client';
import { useEffect, useState } from 'react';

interface Shown {
  /** The newest ones; undefined until the first answer. */
  readonly leads?: readonly Lead[];
  readonly total?: number;
  readonly error?: Error;
}

/** Leaves the leads where they are, and says what went wrong. */
const failed =
  (reason: unknown) =>
  (before: Shown): Shown => ({
    ...before,
    error: reason instanceof Error ? reason : new Error(String(reason)),
  });

/** The leads of one status, and what changes them. */
export const useLeads = (confab: Confab) => {
  const [query, setQuery] = useState<{ status: LeadStatus; limit: number }>({ status: 'new', limit: 10 });
  const [shown, setShown] = useState<Shown>({});

  useEffect(() => {
    const left = new AbortController();
    confab.leads.list(query, { signal: left.signal }).then(
      ({ data, meta }) => setShown({ leads: data, total: meta.total }),
      (reason) => left.signal.aborted || setShown(failed(reason)),
    );
    // What nobody waits for any more is given up.
    return () => left.abort();
  }, [confab, query]);

  return {
    ...shown,
    status: query.status,
    show: (status: LeadStatus) => setQuery((before) => ({ ...before, status })),
    change: (id: string, status: LeadStatus) =>
      // A new query, though the same, reads the list again.
      confab.leads.update(id, { status }).then(
        () => setQuery((before) => ({ ...before })),
        (reason) => setShown(failed(reason)),
      ),
  };
};
