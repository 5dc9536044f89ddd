/// <reference lib="esnext.disposable" preserve="true" />
import type { CreatedWorld, ListedWorld, WorldOptions } from '../control/worlds.ts';
import { remoteParts } from './build-parts.ts';
import type { Call } from './call.ts';
import { checkObject, checkText } from './check-arguments.ts';
import type { RemoteParts } from './remote-parts.ts';
import type { RemoteEndpoint } from './remote-webhooks.ts';

/** The options of a world: those of `createMock` that can be sent. */
export interface RemoteWorldOptions extends Omit<WorldOptions, 'webhooks'> {
  /** The first endpoints of webhooks, and names for the events that the API leaves unnamed. */
  readonly webhooks?:
    | (Omit<NonNullable<WorldOptions['webhooks']>, 'endpoints'> & {
        /** The endpoints that events are delivered to from the start. */
        readonly endpoints?: readonly RemoteEndpoint[] | undefined;
      })
    | undefined;
}

/** An isolated world below a served mock, and everything that can be done with it. */
export interface RemoteWorld extends RemoteParts {
  /** Its id. */
  readonly id: string;
  /** Deletes the world, and returns whether it still existed. */
  delete(): Promise<boolean>;
  /** Calls {@link RemoteWorld.delete}, for `await using world = await mock.worlds.create()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The isolated worlds below a served mock. */
export interface RemoteWorlds {
  /**
   * Creates a world, with a base URL, key, clock and data of its own.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid, or there are too many worlds.
   * @example
   * ```ts
   * import { connectMock } from '@confab/mock/remote';
   *
   * const remote = await connectMock('http://127.0.0.1:4010');
   * await using world = await remote.worlds.create({ data: 'demo' });
   * const confab = createClient({ baseUrl: world.baseUrl, apiKey: world.apiKey });
   * ```
   */
  create(options?: RemoteWorldOptions): Promise<RemoteWorld>;
  /** Lists the worlds, oldest first. */
  list(): Promise<readonly ListedWorld[]>;
  /** Deletes a world by its id, and returns whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** @internal */
export const remoteWorlds = (call: Call, baseUrl: string): RemoteWorlds => {
  const remove = async (id: string) => {
    checkText('worlds.delete()', id, 'the id of a world');
    return call.existed('worlds.delete', { params: { id } });
  };
  return {
    create: async (options = {}) => {
      checkObject('worlds.create()', options, "an object with options, such as { data: 'demo' }");
      const { id, path, apiKey } = (await call<CreatedWorld>('worlds.create', { body: options })).data;
      return {
        ...remoteParts(call.below(path), { baseUrl: baseUrl + path, apiKey }),
        id,
        delete: () => remove(id),
        [Symbol.asyncDispose]: async () => {
          await remove(id);
        },
      };
    },
    list: async () => (await call<ListedWorld[]>('worlds.list')).data,
    delete: remove,
  };
};
