import type { ServerResponse } from 'node:http';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Happening } from '../world/watchers.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { World } from '../world/world.ts';
import { openEventStream } from './open-event-stream.ts';

/** Characters of one event. A longer one is sent without its body. */
const LONGEST = 64 * 1024;

/** The data of an event without what may be long. */
const shortened = (type: Happening, data: unknown): unknown => {
  if (type === 'request') {
    return { ...(data as LoggedRequest), body: undefined, bodyTruncated: true };
  }
  const { id, state, event, url, attempts } = data as Delivery;
  return { id, state, event, url, attempts };
};

const dataOf = (world: World, type: Happening, data: unknown): string => {
  if (type === 'clock' || type === 'restored') {
    return JSON.stringify({ now: new Date(world.clock.now()).toISOString() });
  }
  const json = JSON.stringify(data);
  return json.length > LONGEST ? JSON.stringify(shortened(type, data)) : json;
};

/** Sends everything that happens in a world as server-sent events. */
export const streamEvents = (world: World, outgoing: ServerResponse): void =>
  openEventStream(world, outgoing, (send) =>
    world.watchers.watch((type, data) => send(type, dataOf(world, type, data))),
  );
