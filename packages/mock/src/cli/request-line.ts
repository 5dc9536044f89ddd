import type { OwnRequest } from '../server/respond.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Paint } from './paint.ts';
import { colorOf, plain } from './paint.ts';

const time = (at: number): string => new Date(at).toISOString();

/**
 * One line for a request to the API: time, status, method, path, duration and fault.
 *
 * @param endedAt When it ended, in milliseconds since 1970 on the mock's clock.
 */
export const requestLine = (
  {
    at,
    method,
    path,
    search,
    status,
    fault,
  }: Pick<LoggedRequest, 'at' | 'method' | 'path' | 'search' | 'status' | 'fault'>,
  endedAt: number,
  paint: Paint = plain,
): string => {
  const target = search === '' ? path : `${path}?${search}`;
  const injected = fault === undefined ? '' : ` (fault ${JSON.stringify(fault)})`;
  const shown = paint(colorOf(status), String(status ?? '---'));
  const duration = paint('dim', `${endedAt - at} ms`);
  return `${paint('dim', time(at))} ${shown} ${method} ${target} ${duration}${injected}\n`;
};

/** One line for any other request, with its kind at the end. */
export const ownRequestLine = (
  { at, kind, method, target, status }: OwnRequest,
  paint: Paint = plain,
): string =>
  `${paint('dim', time(at))} ${paint(colorOf(status), String(status))} ${method} ${target} ${paint('dim', `(${kind})`)}\n`;
