import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Chromium on this machine; `undefined` if it is not installed. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM_PATH, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);
