import type { OwnRequest } from '../server/respond.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';

const time = (at: number): string => new Date(at).toISOString();

/** One line for one request to the API: time, what was answered, what was asked, and a fault if there was one. */
export const requestLine = ({ at, method, path, search, status, fault }: LoggedRequest): string => {
  const target = search === '' ? path : `${path}?${search}`;
  const injected = fault === undefined ? '' : ` (fault ${JSON.stringify(fault)})`;
  return `${time(at)} ${status ?? '---'} ${method} ${target}${injected}\n`;
};

/** The same for any other request, told from those by what stands behind it. */
export const ownRequestLine = ({ at, kind, method, target, status }: OwnRequest): string =>
  `${time(at)} ${status} ${method} ${target} (${kind})\n`;
