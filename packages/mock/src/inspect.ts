/// <reference lib="esnext.disposable" preserve="true" />
import { MockError } from './errors/mock-error.ts';
import type { World } from './world/world.ts';

/** The options of {@link Mock.inspect}. */
export interface InspectOptions {
  /**
   * The port to listen on; 0 picks a free one.
   * @default 0
   */
  readonly port?: number | undefined;
}

/** A running inspector. */
export interface Inspection {
  /** The address of the inspector, for a browser on this machine: `http://127.0.0.1:4010/__mock/`. */
  readonly url: string;
  /** Stops serving it. The mock stays open, and its deliveries go on. Closing the inspector again has no effect. */
  close(): Promise<void>;
  /** Calls {@link Inspection.close}, for `await using inspector = await mock.inspect()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface ServerModule {
  serve(mock: object, options: InspectOptions): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** In a variable, because bundlers for browsers would follow a literal import to modules of Node. */
const SERVER = '@confab/mock/server';

/**
 * Serves a mock with its inspector.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown or invalid.
 * @throws A {@link MockError} `CANNOT_LISTEN`, when the port is in use, or this runtime can't listen on one.
 */
export const inspect = async (
  mock: object,
  { servers }: World,
  options: InspectOptions = {},
): Promise<Inspection> => {
  const { serve }: ServerModule = await import(/* @vite-ignore */ /* webpackIgnore: true */ SERVER).catch(
    (cause: unknown) => {
      throw new MockError(
        'CANNOT_LISTEN',
        'mock.inspect() needs a runtime that can listen on a port, such as Node, and the package @confab/mock in its node_modules. In a browser, run confab-mock instead.',
        { cause },
      );
    },
  );
  const server = await serve(mock, options);
  const close = async (): Promise<void> => {
    await server.close();
    servers.delete(close);
  };
  // When the last server of a mock closes, its deliveries are abandoned. The mock goes on without its inspector, so this
  // entry keeps the server of the inspector from being the last one.
  servers.add(close);
  return { url: `${server.url}/__mock/`, close, [Symbol.asyncDispose]: close };
};
