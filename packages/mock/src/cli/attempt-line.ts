import type { Delivery } from '../world/webhooks/delivery.ts';
import type { Paint } from './paint.ts';
import { colorOf, plain } from './paint.ts';

/** Escapes control characters: a name of an event or an error of a receiver must not control the terminal. */
const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The URL without its query, which may contain a token. */
const targetOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** Red if the attempt got no 2xx response: the delivery has failed, or waits for a retry. */
const attemptColor = (status: number | undefined) =>
  colorOf(status !== undefined && status >= 200 && status < 300 ? status : undefined);

/** One line for the latest attempt of a delivery: time, status, URL, duration, event, number and failure. */
export const attemptLine = ({ event, url, attempts }: Delivery, paint: Paint = plain): string => {
  const attempt = attempts.at(-1);
  if (attempt === undefined) {
    return '';
  }
  const { at, durationMs, status, error } = attempt;
  const time = paint('dim', new Date(at).toISOString());
  const shown = paint(attemptColor(status), String(status ?? '---'));
  const duration = paint('dim', `${durationMs} ms`);
  const failure = error === undefined ? '' : `: ${printable(error)}`;
  const details = `(delivery of ${printable(event)}, attempt ${attempts.length}${failure})`;
  return `${time} ${shown} POST ${targetOf(url)} ${duration} ${details}\n`;
};
