const UNITS = [
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

/** Writes milliseconds in the unit that people would use: `60 minutes`, `90 seconds`, `250 ms`. Never too short a time. */
export const inWords = (ms: number): string => {
  const [name, length] = UNITS.find(([, unit]) => ms >= 2 * unit) ?? ['ms', 1];
  return `${Math.ceil(ms / length)} ${name}`;
};

/** Writes milliseconds in seconds: `120 s`, `0.5 s`. */
export const secondsOf = (ms: number): string => `${Number((ms / 1_000).toPrecision(3))} s`;
