import type { ServerResponse } from 'node:http';
import { onAbort } from '@confab/internal';
import type { World } from '../world/world.ts';

/** Bytes that a listener may leave unread. A slower one is cut off: it would hold them in memory. */
const MOST_UNREAD = 1024 * 1024;

/** Milliseconds of real time between signs of life, which keep proxies and the server itself from closing the connection. */
const HEARTBEAT = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Otherwise nginx holds events back.
  'x-accel-buffering': 'no',
};

/** Sends an event to a listener, with its data as JSON. */
export type SendEvent = (type: string, json: string) => void;

/**
 * Responds with server-sent events, until the caller goes away, the world is closed, or the caller reads too slowly.
 *
 * @param begin Called with a function that sends an event, unless the request is a HEAD; returns a function that stops it.
 */
export const openEventStream = (
  world: World,
  outgoing: ServerResponse,
  begin: (send: SendEvent) => () => void,
): void => {
  outgoing.writeHead(200, HEADERS);
  if (outgoing.req.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const write = (text: string): void => {
    if (outgoing.writableLength > MOST_UNREAD) {
      outgoing.destroy();
    } else {
      outgoing.write(text);
    }
  };
  write(': connected\n\n');
  const stop = begin((type, json) => write(`event: ${type}\ndata: ${json}\n\n`));
  const heartbeat = setInterval(() => write(': alive\n\n'), HEARTBEAT);
  heartbeat.unref();
  const forget = onAbort(world.life.signal, () => outgoing.destroy());
  outgoing.once('close', () => {
    stop();
    clearInterval(heartbeat);
    forget();
  });
};
