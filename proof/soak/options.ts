import { parseArgs } from 'node:util';

/** What a run leaks on purpose, to show that the check notices it. */
const LEAKS = ['memory', 'handles', 'worlds'] as const;

export type Leak = (typeof LEAKS)[number];

export interface SoakOptions {
  readonly minutes: number;
  /** Requests of the whole run, of all kinds. */
  readonly requests: number;
  /** Whether the figures and the plot replace those in docs/proof. */
  readonly write: boolean;
  readonly leak: Leak | undefined;
}

/** The pace of a run of the default length: a million requests in 30 minutes. */
const [REQUESTS, MINUTES] = [1_000_000, 30];

const positive = (flag: string, text: string): number => {
  const value = Number(text);
  if (!(Number.isFinite(value) && value > 0)) {
    throw new Error(`--${flag} must be a number greater than 0, got ${JSON.stringify(text)}.`);
  }
  return value;
};

/**
 * Reads the flags of a run. A shorter run keeps the pace, so it sends fewer requests.
 *
 * @throws Error When a flag is unknown or its value invalid.
 */
export const parseSoakOptions = (args: readonly string[]): SoakOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: String(MINUTES) },
      requests: { type: 'string' },
      write: { type: 'boolean', default: false },
      leak: { type: 'string' },
    },
  });
  const minutes = positive('minutes', values.minutes);
  const leak = LEAKS.find((known) => known === values.leak);
  if (values.leak !== undefined && leak === undefined) {
    throw new Error(`--leak must be one of ${LEAKS.join(', ')}, got ${JSON.stringify(values.leak)}.`);
  }
  return {
    minutes,
    requests:
      values.requests === undefined
        ? Math.round((REQUESTS * minutes) / MINUTES)
        : Math.round(positive('requests', values.requests)),
    write: values.write,
    leak,
  };
};
