import type { ServerResponse } from 'node:http';
import type { ControlContext } from '../control/control-operation.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ServedWorlds } from './served-worlds.ts';
import { WORLDS_PREFIX } from './served-worlds.ts';

/** The mock that a request is for. */
export interface Located {
  readonly context: ControlContext;
  /** The path in front of the API's; empty at the root. */
  readonly prefix: string;
  /** The path below that. */
  readonly path: string;
}

interface Mocks {
  readonly context: ControlContext;
  readonly worlds: ServedWorlds;
}

/**
 * Finds the mock of a request: that at the root of the server, or a world below it, which counts as used until the
 * response has ended.
 *
 * @throws {@link Refusal} 404, when the path is that of an unknown world.
 */
export const locate = ({ context, worlds }: Mocks, { pathname }: URL, outgoing: ServerResponse): Located => {
  if (!pathname.startsWith(WORLDS_PREFIX)) {
    return { context, prefix: '', path: pathname };
  }
  const [id = ''] = pathname.slice(WORLDS_PREFIX.length).split('/', 1);
  const entered = worlds.enter(id);
  if (entered === undefined) {
    throw new Refusal(
      404,
      'WORLD_NOT_FOUND',
      `No world has the id ${JSON.stringify(id)}. It was deleted, or it expired because nothing used it. Create another with POST /__mock/worlds.`,
    );
  }
  outgoing.once('close', entered.leave);
  const prefix = WORLDS_PREFIX + id;
  return { context: entered.context, prefix, path: pathname.slice(prefix.length) };
};
