import type { ServerResponse } from 'node:http';
import type { Happening } from '../world/watchers.ts';
import type { World } from '../world/world.ts';
import { Coalescer } from './coalescer.ts';
import { openEventStream } from './open-event-stream.ts';

/** Sends the kinds of what happens in a world as server-sent events: at once, and then at most once per period. */
export const streamChanges = (world: World, outgoing: ServerResponse): void =>
  openEventStream(world, outgoing, (send) => {
    const coalescer = new Coalescer<Happening>((kinds) => send('changes', JSON.stringify({ kinds })));
    const unfollow = world.watchers.follow((kind) => coalescer.add(kind));
    return () => {
      unfollow();
      coalescer.stop();
    };
  });
