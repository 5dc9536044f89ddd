/** The levels of a logger, from the lowest. */
export const LEVELS = ['debug', 'info', 'warn'] as const;

type Level = (typeof LEVELS)[number];

/** Invalid levels that were reported: a process may create many clients. */
const warned = new Set<string>();

const writeToStandardError = (message: string, event?: object): void => {
  // `console.debug` and `console.info` would write to standard output. Each line reads `console` again because tools
  // replace it. The event is written as JSON because an object would take several lines.
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
