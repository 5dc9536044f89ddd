import { subscribe } from 'node:diagnostics_channel';

/** The requests that this process has sent to the server. */
export interface SentRequests {
  count(): number;
  /** Counts a request that was sent without `fetch`. */
  add(): void;
}

/** Counts every `fetch` of this process to a server: those of clients, of control operations and of event streams. */
export const countRequests = (url: string): SentRequests => {
  let sent = 0;
  subscribe('undici:request:create', (message) => {
    const { request } = message as { readonly request: { readonly origin: string | URL } };
    if (String(request.origin).startsWith(url)) {
      sent += 1;
    }
  });
  return {
    count: () => sent,
    add: () => {
      sent += 1;
    },
  };
};
