import type { RunnerMessage } from './messages.ts';
import { readMessage } from './messages.ts';

/** Starts the worker. The content security policy of the site has the hash of this script. */
export const SANDBOX_SCRIPT = `addEventListener('message', ({ data: { runner, program }, ports }) => {
  const address = URL.createObjectURL(new Blob([runner], { type: 'text/javascript' }));
  new Worker(address).postMessage(program, ports);
}, { once: true });`;

/** A program must not reach any network, not even the site itself. A worker made from a blob inherits this policy. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:";

const DOCUMENT = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${SANDBOX_SCRIPT}</script>`;

/** The milliseconds that a program may run. */
export const TIME_LIMIT = 10_000;

/** More messages than the code of the playground sends within the time limit, with every line that it may print. */
const MAX_MESSAGES = 2_000;

export type Ending = 'finished' | 'failed' | 'stopped' | 'timeout' | 'tampered';

export interface RunningProgram {
  /** How the run ended. */
  readonly ended: Promise<Ending>;
  /** Ends the run at once, even in an endless loop. */
  stop(): void;
}

/**
 * Runs a program in a worker of its own, within a frame without an origin. It cannot reach the page, what the site stores,
 * or any network. Removing the frame ends it.
 *
 * @param runner The code of the worker.
 * @param program The program, as JavaScript.
 */
export const runInSandbox = (
  runner: string,
  program: string,
  onMessage: (message: RunnerMessage) => void,
): RunningProgram => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Sandbox of the program';
  frame.hidden = true;
  frame.srcdoc = DOCUMENT;

  const { port1, port2 } = new MessageChannel();
  let resolve: (ending: Ending) => void;
  const ended = new Promise<Ending>((settle) => {
    resolve = settle;
  });
  const end = (ending: Ending): void => {
    clearTimeout(timer);
    port1.close();
    frame.remove();
    resolve(ending);
  };
  const timer = setTimeout(end, TIME_LIMIT, 'timeout');
  let messages = 0;
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readMessage(data);
    messages += 1;
    if (message === undefined || messages > MAX_MESSAGES) {
      end('tampered');
    } else if (message.type === 'finished') {
      end(message.failed ? 'failed' : 'finished');
    } else {
      onMessage(message);
    }
  };
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ runner, program }, '*', [port2]), {
    once: true,
  });
  document.body.append(frame);
  return { ended, stop: () => end('stopped') };
};
