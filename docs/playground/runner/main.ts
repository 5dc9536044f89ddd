/** Runs one program in a worker. The first message has the program and the port to report to. */
import './local-storage.ts';
import './timers.ts';
import './web-crypto.ts';
import * as client from '@confab/client';
import * as contract from '@confab/client/contract';
import type { MockOptions } from '@confab/mock';
import * as mockPackage from '@confab/mock';
import * as webhooks from '@confab/webhooks';
import type { Line, MockState, RunnerMessage } from '../messages.ts';
import { MAX_LINES, MAX_MOCKS } from '../messages.ts';
import { formatLine } from './format.ts';
import { linkImports } from './link-imports.ts';
import { hasTimers, own } from './timers.ts';
import { watchMock } from './watch-mock.ts';

/** A program has ended when it has no timer left, and nothing has happened for this long since its last statement. */
const QUIET_MS = 400;
const REPORT_MS = 50;

const states: (() => MockState)[] = [];
const createMock = (options?: MockOptions) => {
  const mock = mockPackage.createMock(options);
  if (states.length < MAX_MOCKS) {
    states.push(watchMock(mock));
  }
  return mock;
};

const MODULES: Readonly<Record<string, object>> = {
  '@confab/client': client,
  '@confab/client/contract': contract,
  '@confab/webhooks': webhooks,
  '@confab/mock': { ...mockPackage, createMock },
};

const toAddress = (code: string): string =>
  URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));

/** Makes the bundled modules importable: creates a blob for each, which reads the exports from a global. */
const publish = (modules: typeof MODULES): ReadonlyMap<string, string> => {
  const key = Symbol.for('confab.playground.modules');
  Object.defineProperty(globalThis, key, { value: modules });
  return new Map(
    Object.entries(modules).map(([name, module]) => [
      name,
      toAddress(
        `export const { ${Object.keys(module).join(', ')} } = globalThis[Symbol.for(${JSON.stringify(key.description)})][${JSON.stringify(name)}];`,
      ),
    ]),
  );
};

const run = async (program: string, port: MessagePort): Promise<void> => {
  // Bound, so that a program that replaces `postMessage` does not get the port.
  const send: (message: RunnerMessage) => void = port.postMessage.bind(port);
  let lines = 0;
  let lastEvent = performance.now();
  let lastReport = '';
  let failed = false;

  const print = (level: Line['level'], values: readonly unknown[]): void => {
    lastEvent = performance.now();
    lines += 1;
    if (lines <= MAX_LINES) {
      send({ type: 'line', line: { level, text: formatLine(values) } });
    } else if (lines === MAX_LINES + 1) {
      send({ type: 'line', line: { level: 'warn', text: `Only the first ${MAX_LINES} lines are shown.` } });
    }
  };
  const report = (): void => {
    const mocks = states.map((state) => state());
    const summary = JSON.stringify(mocks.map(({ elapsed, total, used }) => [elapsed, total, used]));
    if (summary !== lastReport) {
      lastReport = summary;
      lastEvent = performance.now();
      send({ type: 'mocks', mocks });
    }
  };
  const fail = (error: unknown): void => {
    failed = true;
    print('error', ['Uncaught', error]);
  };

  for (const name of ['log', 'info', 'debug', 'table', 'dir', 'warn', 'error', 'trace'] as const) {
    const level = name === 'warn' || name === 'error' ? name : 'log';
    console[name] = (...values: unknown[]) => print(level, values);
  }
  addEventListener('error', ({ error, message }) => fail(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));

  const reports = own.setInterval(report, REPORT_MS);
  try {
    await import(/* @vite-ignore */ toAddress(linkImports(program, publish(MODULES))));
  } catch (error) {
    fail(error);
  }
  lastEvent = performance.now();
  const end = own.setInterval(() => {
    if (hasTimers()) {
      lastEvent = performance.now();
    } else if (performance.now() - lastEvent > QUIET_MS) {
      own.clearInterval(end);
      own.clearInterval(reports);
      report();
      send({ type: 'finished', failed });
    }
  }, REPORT_MS);
};

addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<string>) => {
    if (port) {
      void run(data, port);
    }
  },
  { once: true },
);
