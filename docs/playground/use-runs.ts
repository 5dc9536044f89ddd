import { onBeforeUnmount, shallowRef } from 'vue';
import type { Line, MockState } from './messages.ts';
import type { Ending, RunningProgram } from './sandbox.ts';
import { runInSandbox, TIME_LIMIT } from './sandbox.ts';

/** The most characters of a run's output: laying out millions of them would freeze the page. */
const MAX_OUTPUT = 100_000;

const CUT: Line = {
  level: 'warn',
  text: `Only the first ${MAX_OUTPUT / 1_000} kB of the output is shown.`,
};

const ENDINGS: Readonly<Record<Ending, string>> = {
  finished: 'Finished.',
  failed: 'Failed with an error.',
  stopped: 'Stopped.',
  timeout: `Stopped after ${TIME_LIMIT / 1_000} seconds, the most that a program may run.`,
  tampered: 'Stopped, because the program interfered with the playground itself.',
};

/** Runs one program at a time, and holds its output and the state of its mocks. */
export const useRuns = () => {
  const lines = shallowRef<readonly Line[]>([]);
  const mocks = shallowRef<readonly MockState[]>([]);
  const status = shallowRef('The program has not run yet.');
  const running = shallowRef(false);
  const hasRun = shallowRef(false);
  let current: RunningProgram | undefined;

  const run = async (compile: () => Promise<string>): Promise<void> => {
    if (running.value) {
      return;
    }
    running.value = true;
    status.value = 'Running…';
    lines.value = [];
    mocks.value = [];
    hasRun.value = false;
    try {
      const [{ runner }, program] = await Promise.all([import('virtual:playground/runner'), compile()]);
      let characters = 0;
      current = runInSandbox(runner, program, (message) => {
        if (message.type === 'mocks') {
          mocks.value = message.mocks;
        } else if (message.type === 'line' && characters <= MAX_OUTPUT) {
          characters += message.line.text.length;
          lines.value = [...lines.value, characters > MAX_OUTPUT ? CUT : message.line];
        }
      });
      status.value = ENDINGS[await current.ended];
    } catch (error) {
      status.value = `The program could not start: ${error instanceof Error ? error.message : error}`;
    } finally {
      current = undefined;
      running.value = false;
      hasRun.value = true;
    }
  };
  const stop = (): void => current?.stop();
  onBeforeUnmount(stop);
  return { lines, mocks, status, running, hasRun, run, stop };
};
