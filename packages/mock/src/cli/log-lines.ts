import { styleText } from 'node:util';
import { printable } from '@confab/internal/cli';
import type { OwnRequest } from '../server/listen-options.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

type Color = 'green' | 'cyan' | 'yellow' | 'red' | 'dim';

/** Colors a text for a terminal. */
export type Paint = (color: Color, text: string) => string;

/** Colors texts if a stream is a terminal, unless `NO_COLOR` or `FORCE_COLOR` says otherwise. */
export const paintFor =
  (stream: NodeJS.WriteStream): Paint =>
  (color, text) =>
    styleText(color, text, { stream });

/** Red for an error of the service, or when there was no response. */
const colorOf = (status = 500): Color => {
  if (status >= 500) {
    return 'red';
  }
  return status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green';
};

const lineOf = (
  paint: Paint,
  { at, status }: { readonly at: number; readonly status: number | undefined },
  rest: readonly string[],
  color = colorOf(status),
): string =>
  `${[paint('dim', new Date(at).toISOString()), paint(color, String(status ?? '---')), ...rest].join(' ')}\n`;

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
  return lineOf(paint, request, [
    method,
    search ? `${path}?${search}` : path,
    paint('dim', `${endedAt - at} ms`),
    ...(fault === undefined ? [] : [`(fault ${JSON.stringify(fault)})`]),
  ]);
};

/** One line for any other request, with its kind at the end. */
export const ownRequestLine = (request: OwnRequest, paint: Paint): string =>
  lineOf(paint, request, [request.method, request.target, paint('dim', `(${request.kind})`)]);

/** One line for the latest attempt of a delivery: time, status, URL, duration, event, number and failure. */
export const attemptLine = ({ event, url, attempts }: Delivery, paint: Paint): string => {
  const attempt = attempts.at(-1);
  if (attempt === undefined) {
    return '';
  }
  const { durationMs, status, error } = attempt;
  // The query of the URL may contain a token.
  const { origin, pathname } = new URL(url);
  const failure = error === undefined ? '' : `: ${error}`;
  const parts = [
    `POST ${origin}${pathname}`,
    paint('dim', `${durationMs} ms`),
    // The name of an event and the error of a receiver must not control the terminal.
    printable(`(delivery of ${event}, attempt ${attempts.length}${failure})`),
  ];
  // Without a 2xx response, the delivery has failed, or waits for a retry.
  const isDelivered = status !== undefined && status >= 200 && status < 300;
  return lineOf(paint, attempt, parts, isDelivered ? 'green' : 'red');
};
