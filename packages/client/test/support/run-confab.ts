import type { Io, Output } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

interface Situation {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
  /** Columns of the terminal; undefined for a pipe. */
  readonly terminal?: number;
  /** Whether standard error is a terminal. */
  readonly errorsToTerminal?: boolean;
  readonly askSecret?: Io['askSecret'];
  readonly onInterrupt?: Io['onInterrupt'];
}

/** Runs the command in this process, and returns what it wrote. */
export const runConfab = async (args: readonly string[], situation: Situation = {}) => {
  const written = { out: '', err: '' };
  const { terminal, errorsToTerminal = false } = situation;
  const outputOf = (name: keyof typeof written, isTerminal: boolean): Output => ({
    isTerminal,
    columns: terminal ?? 80,
    write: async (text) => {
      written[name] += text;
    },
    bold: (text) => text,
  });
  const code = await run(args, {
    env: situation.env ?? {},
    out: outputOf('out', terminal !== undefined),
    err: outputOf('err', errorsToTerminal),
    stdin: () => new Blob([situation.stdin ?? '']).stream(),
    onInterrupt: situation.onInterrupt ?? (() => {}),
    askSecret: situation.askSecret,
  });
  return { code, ...written };
};
