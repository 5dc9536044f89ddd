import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { listen } from '@confab/internal/test-support';
import { onTestFinished } from 'vitest';
import { folder } from './command.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is on this machine, if it is. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM_PATH, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];

/**
 * Runs a script in a page of Chromium, on an origin of its own; resolves to what it returns.
 *
 * @param body The body of an async function.
 */
export const inChromium = async (body: string): Promise<unknown> => {
  let report = (_: unknown): void => {};
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  const script = `(async () => { ${body} })().catch(String).then((result) => fetch('/', { method: 'POST', body: JSON.stringify(result) }))`;
  const page = await listen(async (incoming, outgoing) => {
    if (incoming.method === 'POST') {
      report(await json(incoming));
    }
    outgoing.setHeader('content-type', 'text/html').end(`<!doctype html><script>${script}</script>`);
  });
  const browser = spawn(chromiumPath ?? '', [...ARGS, `--user-data-dir=${folder()}`, page], {
    stdio: 'ignore',
  });
  const ended = once(browser, 'exit');
  onTestFinished(async () => {
    browser.kill('SIGKILL');
    await ended;
  });
  return reported;
};
