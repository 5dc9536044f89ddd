import type { Paint } from './log-lines.ts';

/** The parts of the process that the command uses, so tests can replace them. */
export interface Io {
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (text: string) => void;
  /** Colors the log. */
  readonly paint: Paint;
}

/** A server that the command has started. */
export interface Started {
  /** What to print first: the URL and the key, and how to use them. */
  readonly banner: string;
  /**
   * Stops it and saves its data. Later calls have no effect.
   *
   * @param graceMs How long to wait for the responses in flight, in milliseconds.
   * @default 0
   */
  stop(graceMs?: number): Promise<void>;
}
