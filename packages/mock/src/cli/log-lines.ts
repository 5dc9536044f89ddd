import { styleText } from 'node:util';
import { printable } from '@confab/internal/cli';
import type { NonApiRequest } from '../server/serve-options.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

type Color = 'green' | 'cyan' | 'yellow' | 'red' | 'dim';

/** Colors a text for a terminal. */
export type Paint = (color: Color, text: string) => string;

/** Creates a function that colors text if a stream is a terminal, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. */
export const createPaint =
  (stream: NodeJS.WriteStream): Paint =>
  (color, text) =>
    styleText(color, text, { stream });

/** The colors of statuses, by their first digit. */
const COLORS: readonly (Color | undefined)[] = [undefined, 'green', 'green', 'cyan', 'yellow'];

/** The color of a status: red also if there was no response. */
const colorOf = (status = 500): Color => COLORS[Math.floor(status / 100)] ?? 'red';

const formatLine = (
  paint: Paint,
  { at, status }: { readonly at: number; readonly status: number | undefined },
  ...rest: readonly string[]
): string => {
  const start = [paint('dim', new Date(at).toISOString()), paint(colorOf(status), String(status ?? '---'))];
  return `${[...start, ...rest].join(' ')}\n`;
};

/**
 * One line for a request to the API: time, status, method, path, duration and fault.
 *
 * @param endedAt When it ended, in milliseconds since 1970 on the mock's clock.
 */
export const requestLine = (
  request: Pick<LoggedRequest, 'at' | 'method' | 'path' | 'status'> & Partial<LoggedRequest>,
  endedAt: number,
  paint: Paint,
): string => {
  const { at, method, path, search, fault } = request;
  const target = search ? `${path}?${search}` : path;
  const end = fault === undefined ? [] : [`(fault ${JSON.stringify(fault)})`];
  return formatLine(paint, request, method, target, paint('dim', `${endedAt - at} ms`), ...end);
};

/** One line for a request that is not for the API, with its kind at the end. */
export const nonApiRequestLine = (request: NonApiRequest, paint: Paint): string =>
  formatLine(paint, request, request.method, request.target, paint('dim', `(${request.kind})`));

/** One line for the latest attempt of a delivery: time, status, URL, duration, event, number and failure. */
export const attemptLine = ({ event, url, attempts }: Delivery, paint: Paint): string => {
  const attempt = attempts.at(-1);
  if (attempt === undefined) {
    return '';
  }
  const { durationMs, error } = attempt;
  // The query of the URL may contain a token.
  const { origin, pathname } = new URL(url);
  const failure = error === undefined ? '' : `: ${error}`;
  // The name of an event or the error of a receiver may contain control characters.
  const details = printable(`(delivery of ${event}, attempt ${attempts.length}${failure})`);
  return formatLine(paint, attempt, `POST ${origin}${pathname}`, paint('dim', `${durationMs} ms`), details);
};
