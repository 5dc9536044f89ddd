/** Returns true in the window of a browser, but not in its workers. */
export const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

// Features of Node, Bun and Deno. Everything below does nothing in browsers and Workers.

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

/** Set by the build. */
declare const CONFAB_CLIENT_VERSION: string | undefined;

const version = typeof CONFAB_CLIENT_VERSION === 'string' ? CONFAB_CLIENT_VERSION : 'source';

/** Returns the header that names the package and the application. A browser would ask the API's permission to send it. */
export const userAgent = (
  app: { readonly name: string; readonly version: string } | undefined,
): Readonly<Record<string, string>> =>
  /^(?:Node\.js|Bun|Deno)\b/.test(globalThis.navigator?.userAgent)
    ? { 'user-agent': `confab-client/${version}${app === undefined ? '' : ` ${app.name}/${app.version}`}` }
    : {};

/** The levels of a logger, from the lowest. */
export const LEVELS = ['debug', 'info', 'warn'] as const;

type Level = (typeof LEVELS)[number];

/** Levels that were found wrong already: a process may create many clients. */
const warned = new Set<string>();

const writeToStandardError = (message: string, event?: object): void => {
  // The console is read for each line because tools replace it. Its `debug` and `info` would write to standard output.
  // As an object, the event would take several lines.
  // biome-ignore lint/suspicious/noConsole: the user asked for it.
  console.warn(message, ...(event === undefined ? [] : [JSON.stringify(event)]));
};

/**
 * Returns a logger that writes messages of this level and above to standard error. For any other word, it warns once and
 * returns undefined.
 */
export const consoleLogger = (
  level: string | undefined,
): Partial<Record<Level, typeof writeToStandardError>> | undefined => {
  const first = (LEVELS as readonly (string | undefined)[]).indexOf(level);
  if (first >= 0) {
    return Object.fromEntries(LEVELS.slice(first).map((name) => [name, writeToStandardError]));
  }
  if (level && !warned.has(level)) {
    warned.add(level);
    writeToStandardError('confab: CONFAB_LOG must be debug, info or warn.');
  }
  return undefined;
};
