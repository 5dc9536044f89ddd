/** A stream that the command writes to. */
export interface Output {
  /** Whether a person reads it. */
  readonly isTerminal: boolean;
  /** Number of columns of the terminal. */
  readonly columns: number;
  /** Writes a text. Resolves when the reader can accept more. */
  readonly write: (text: string) => Promise<void>;
  /** Makes a text bold, if the stream shows styles. */
  readonly bold: (text: string) => string;
}

/** The parts of the process that the command uses, so tests can replace them. */
export interface Io {
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Output;
  readonly err: Output;
  /** Opens standard input. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  /** Calls the function for the first Ctrl+C instead of ending the process. The second Ctrl+C ends it. */
  readonly onInterrupt: (callback: () => void) => void;
  /** Prompts for a secret without showing it. Undefined without a terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined;
}
