import { onAbort } from '@confab/internal';
import type { Stream } from '../http/send.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import type { WorldEvent } from '../world/watchers.ts';
import type { World } from '../world/world.ts';

/** Milliseconds of real time between comments that keep proxies and the server itself from closing the connection. */
const HEARTBEAT = 15_000;

/** Characters of one event. A longer one is sent without its body. */
const MAX_EVENT = 64 * 1024;

/** Milliseconds of real time in which the inspector is told once of each kind of event. */
const KINDS_PAUSE = 100;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Otherwise nginx holds events back.
  'x-accel-buffering': 'no',
};

/** An event without what may be long, which are the bodies of requests and deliveries. */
const shortened = (event: object): object => ({
  ...event,
  ...('bodyTruncated' in event && { bodyTruncated: true }),
  body: undefined,
  data: undefined,
});

const jsonOf = (world: World, type: WorldEvent, data: unknown): string => {
  if (type === 'clock' || type === 'restored') {
    return JSON.stringify({ now: new Date(world.clock.now()).toISOString() });
  }
  const json = JSON.stringify(data);
  return json.length > MAX_EVENT ? JSON.stringify(shortened(data as object)) : json;
};

/**
 * Reports only which kinds of events there were, at once after a quiet time and then once in each pause. The inspector uses
 * no more of an event: it loads what it shows. Otherwise a tenth of the work of a busy server would be events that nobody reads.
 */
const reportKinds = (write: (text: string) => void) => {
  const kinds = new Set<WorldEvent>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const texts = [...kinds].map((type) => `event: ${type}\ndata: {}\n\n`);
    kinds.clear();
    timer = texts.length === 0 ? undefined : setTimeout(flush, KINDS_PAUSE).unref();
    if (texts.length > 0) {
      write(texts.join(''));
    }
  };
  return (type: WorldEvent): void => {
    kinds.add(type);
    if (timer === undefined) {
      flush();
    }
  };
};

/**
 * Sends everything that happens in a world as server-sent events, until the caller goes away, the world is closed, or the
 * caller reads too slowly.
 */
export const streamEvents =
  (world: World): Stream =>
  (outgoing) => {
    outgoing.writeHead(200, HEADERS);
    if (outgoing.req.method === 'HEAD') {
      outgoing.end();
      return;
    }
    const write = (text: string): void => {
      if (outgoing.writableLength > SERVER_LIMITS.unreadBytes) {
        outgoing.destroy();
      } else {
        outgoing.write(text);
      }
    };
    write(': connected\n\n');
    const unwatch = world.watchers.watch(
      outgoing.req.headers['x-confab-inspector'] === undefined
        ? (type, data) => write(`event: ${type}\ndata: ${jsonOf(world, type, data)}\n\n`)
        : reportKinds(write),
    );
    const heartbeat = setInterval(() => write(': alive\n\n'), HEARTBEAT);
    heartbeat.unref();
    const forget = onAbort(world.closeController.signal, () => outgoing.destroy());
    outgoing.once('close', () => {
      unwatch();
      clearInterval(heartbeat);
      forget();
    });
  };
