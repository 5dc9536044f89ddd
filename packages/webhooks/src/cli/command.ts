/** What a command may use of the process, so that it can run anywhere. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Everything on standard input. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Resolves when the user asks to stop. */
  readonly stopped: () => Promise<void>;
}

/** 0: done; 1: the delivery was refused or nothing was found; 2: the command was used wrongly. */
export type ExitCode = 0 | 1 | 2;

/** One command: what follows its name, in; exit code, out. */
export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;
