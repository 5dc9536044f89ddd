/** The parts of the process that commands use, so tests can replace them. */
export interface Io {
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line to standard output. Commands may print untrusted text, because `run` escapes it. */
  readonly print: (line: string) => void;
  /** Reads all of standard input. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Resolves when the user asks to stop. */
  readonly stopped: () => Promise<void>;
}

/** 0: success. 1: the delivery was refused, or no signature was found. 2: the command was called incorrectly. */
export type ExitCode = 0 | 1 | 2;

/** A command. It receives the arguments after its name and resolves to the exit code. */
export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;
