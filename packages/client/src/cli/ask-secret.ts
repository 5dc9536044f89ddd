import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * Prompts for a secret at the terminal without showing it. Resolves to an empty string at the end of the input.
 *
 * @param onInterrupt Called for Ctrl+C, which sends no signal while the terminal passes on each key.
 */
export const askSecret = (question: string, onInterrupt: () => void): Promise<string> =>
  new Promise((resolve) => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const reader = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
    // From here on, the terminal shows nothing by itself.
    process.stderr.write(question);
    const end = (secret: string): void => {
      process.stderr.write('\n');
      resolve(secret);
    };
    reader.once('SIGINT', () => {
      reader.close();
      onInterrupt();
    });
    reader.once('line', (line) => {
      end(line);
      reader.close();
    });
    reader.once('close', () => end(''));
  });
