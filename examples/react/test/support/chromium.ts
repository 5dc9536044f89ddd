import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Chromium is on this machine, if it is. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM_PATH, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

export const HOW_TO_INSTALL =
  'no Chromium found: run `apt-get install -y chromium`, or set CHROMIUM_PATH to an executable';

/** Nothing that phones home, and nothing that needs a display or a sandbox of its own. */
export const CHROMIUM_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
