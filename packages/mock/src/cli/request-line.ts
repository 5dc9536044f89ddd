import type { OwnRequest } from '../server/respond.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';

const time = (at: number): string => new Date(at).toISOString();

/** One line for a request to the API: time, status, method and path, and its fault. */
export const requestLine = ({ at, method, path, search, status, fault }: LoggedRequest): string => {
  const target = search === '' ? path : `${path}?${search}`;
  const injected = fault === undefined ? '' : ` (fault ${JSON.stringify(fault)})`;
  return `${time(at)} ${status ?? '---'} ${method} ${target}${injected}\n`;
};

/** One line for any other request, with its kind at the end. */
export const ownRequestLine = ({ at, kind, method, target, status }: OwnRequest): string =>
  `${time(at)} ${status} ${method} ${target} (${kind})\n`;
