import type { LoggedRequest } from '../world/log.ts';

/** One line for one request: time, what was asked, what was answered, and a fault if there was one. */
export const requestLine = ({ at, method, path, query, status, fault }: LoggedRequest): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const target = search.size === 0 ? path : `${path}?${search}`;
  const injected = fault === undefined ? '' : ` (fault ${JSON.stringify(fault)})`;
  return `${new Date(at).toISOString()} ${status ?? '---'} ${method} ${target}${injected}\n`;
};
