/**
 * What Node, Bun and Deno offer and browsers and Workers do not. The build without the condition `node` contains
 * `elsewhere.ts` instead, so none of this costs a browser a byte. Nothing here may need Node to be imported: tests and
 * bundlers read this file for other runtimes, too.
 */

/** Node's `util.inspect`. */
type Inspect = (value: object, options: object) => string;

/**
 * Makes `console.log` and REPLs show an object in a line or two. Node, Bun and Deno read the symbol.
 *
 * @param show Returns the properties to show.
 */
export const showAs = <Target extends object>(
  target: Target,
  name: string,
  show: (value: Target) => object,
): void => {
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: Target, _depth: number, options: object, inspect: Inspect) {
      return `${name} ${inspect(show(this), options)}`;
    },
  });
};

/** The method in use of `node:diagnostics_channel`. */
interface DiagnosticsChannel {
  tracingChannel?(name: string): {
    readonly hasSubscribers: boolean;
    tracePromise(call: () => Promise<void>, message: object): Promise<void>;
  };
}

const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };

const channel = (
  process?.getBuiltinModule?.('node:diagnostics_channel') as DiagnosticsChannel | undefined
)?.tracingChannel?.('confab:call');

/**
 * Runs a call, and publishes the message on the TracingChannel `confab:call` when the call starts and when it ends.
 *
 * @param call Adds its `outcome` and its `error` to the message. It resolves with nothing, because the channel publishes
 * what a promise resolves with.
 */
export const traceCall = (
  message: { readonly outcome?: string | undefined; readonly error?: unknown },
  call: () => Promise<void>,
): Promise<void> => {
  if (!channel?.hasSubscribers) {
    return call();
  }
  const run = async () => {
    await call();
    if (message.outcome !== 'success') {
      throw message.error;
    }
  };
  return channel.tracePromise(run, message).catch(() => {});
};
