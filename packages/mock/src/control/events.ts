import { onAbort } from '@confab/internal';
import type { Stream } from '../http/send.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import type { WorldEvent } from '../world/watchers.ts';
import type { World } from '../world/world.ts';

/** Milliseconds of real time between comments that keep proxies and the server itself from closing the connection. */
const HEARTBEAT = 15_000;

/** The maximum length of an event, in characters. A longer event is sent without its body. */
const MAX_EVENT = 64 * 1024;

/** Milliseconds of real time in which each kind of event is reported to the inspector at most once. */
const KINDS_PAUSE = 100;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Otherwise nginx holds events back.
  'x-accel-buffering': 'no',
};

/** Removes the bodies of requests and deliveries, which may be long. */
const withoutBodies = (event: object): object => ({
  ...event,
  ...('bodyTruncated' in event && { bodyTruncated: true }),
  body: undefined,
  data: undefined,
});

const serialize = (world: World, type: WorldEvent, data: unknown): string => {
  if (type === 'clock' || type === 'restored') {
    return JSON.stringify({ now: new Date(world.clock.now()).toISOString() });
  }
  const json = JSON.stringify(data);
  return json.length > MAX_EVENT ? JSON.stringify(withoutBodies(data as object)) : json;
};

/**
 * Creates a listener that reports only the kinds of events: at once after a quiet period, and then at most once in each
 * pause. The inspector needs no more, because it reloads what it shows. Complete events would be a tenth of the work of a
 * busy server.
 */
const createKindReporter = (write: (text: string) => void) => {
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
 * Streams the events of a world as server-sent events, until the caller goes away or reads too slowly, or the world is
 * closed.
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
        ? (type, data) => write(`event: ${type}\ndata: ${serialize(world, type, data)}\n\n`)
        : createKindReporter(write),
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
