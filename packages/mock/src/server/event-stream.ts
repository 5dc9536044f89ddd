import type { ServerResponse } from 'node:http';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { World } from '../world/world.ts';

/** Bytes that a listener may leave unread. A slower one is cut off: it would hold them in memory. */
const MOST_UNREAD = 1024 * 1024;

/** Characters of one event. A longer one is sent without its body. */
const LONGEST = 64 * 1024;

/** Milliseconds of real time between signs of life, which keep proxies and the server itself from closing the connection. */
const HEARTBEAT = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Otherwise nginx holds events back.
  'x-accel-buffering': 'no',
};

/** The data of an event without what may be long. */
const shortened = (type: string, data: unknown): unknown => {
  if (type === 'request') {
    return { ...(data as LoggedRequest), body: undefined, bodyTruncated: true };
  }
  const { id, state, event, url, attempts } = data as Delivery;
  return { id, state, event, url, attempts };
};

const dataOf = (world: World, type: string, data: unknown): string => {
  if (type === 'clock' || type === 'restored') {
    return JSON.stringify({ now: new Date(world.clock.now()).toISOString() });
  }
  const json = JSON.stringify(data);
  return json.length > LONGEST ? JSON.stringify(shortened(type, data)) : json;
};

/**
 * Sends everything that happens in a world as server-sent events, until the caller goes away, the world is closed, or the
 * caller reads too slowly.
 */
export const streamEvents = (world: World, outgoing: ServerResponse): void => {
  outgoing.writeHead(200, HEADERS);
  if (outgoing.req.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const send = (text: string): void => {
    if (outgoing.writableLength > MOST_UNREAD) {
      outgoing.destroy();
    } else {
      outgoing.write(text);
    }
  };
  send(': connected\n\n');
  const unwatch = world.watchers.watch((type, data) => {
    send(`event: ${type}\ndata: ${dataOf(world, type, data)}\n\n`);
  });
  const heartbeat = setInterval(() => send(': alive\n\n'), HEARTBEAT);
  heartbeat.unref();
  const forget = world.life.onEnd(() => outgoing.destroy());
  outgoing.once('close', () => {
    unwatch();
    clearInterval(heartbeat);
    forget();
  });
};
