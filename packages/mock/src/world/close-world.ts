import { MockClosedError } from '../errors/mock-closed-error.ts';
import type { World } from './world.ts';

/** @throws {@link MockClosedError} When the world is closed. */
export const checkOpen = ({ life }: Pick<World, 'life'>, what: string): void => {
  if (life.over) {
    throw new MockClosedError(what);
  }
};

/** Aborts everything that a world does. Resolves once nothing of it keeps the process alive. */
export const closeWorld = async (world: World): Promise<void> => {
  world.life.end();
  world.eras.next();
  // Deliveries first, so that they end with their own reason, and not with that of their clock.
  const delivered = world.outbox.close();
  world.clock.close();
  await Promise.all([delivered, ...[...world.servers].map((close) => close())]);
};
