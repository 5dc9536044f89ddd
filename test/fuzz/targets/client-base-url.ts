import { ConfigurationError } from '../../../packages/client/src/errors/index.ts';
import { parseBaseUrl } from '../../../packages/client/src/options/base-url.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

/** The example in the message about a text that is not a URL. Any part of it could be the input. */
const EXAMPLE = 'https://api.example.com';

const PATH = '/api/v1/leads?limit=1';

/** Whether packets for a host stay on this machine. `URL` has normalized the host. */
const staysHere = (host: string): boolean =>
  host === 'localhost' ||
  (host.endsWith('.localhost') && host.length > '.localhost'.length) ||
  host === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(host);

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** Whether paths can be appended to a URL, and the key sent to it. */
const isUsable = (url: URL | undefined, allowHttp: boolean): boolean =>
  url !== undefined &&
  url.username + url.password === '' &&
  !url.href.includes('?') &&
  !url.href.includes('#') &&
  (url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || staysHere(url.hostname))));

/** The input is a URL. A space before it allows http. */
export const target: Target = {
  checks:
    'Accepts exactly the https URLs (http on loopback) to which a path can be appended; the result is its own base URL and keeps origin and path; no message contains a password or a text that is no URL',
  maxBytes: 200,
  work: (bytes) => 100 + 10 * bytes,
  words: [
    'https://',
    'http://',
    '127.0.0.1',
    'localhost',
    '.localhost',
    '[::1]',
    '@',
    'user:password@',
    '%2F',
    '//',
    '/../',
    '\\',
    '0x7f.1',
    'xn--',
    '。',
  ],
  run: (input) => {
    const text = Buffer.from(input).toString('utf8');
    const allowHttp = text.startsWith(' ');
    const given = allowHttp ? text.slice(1) : text;
    const url = parsed(given);
    let base: string;
    try {
      base = parseBaseUrl(given, allowHttp);
    } catch (error) {
      hold(error instanceof ConfigurationError, `threw ${error}`);
      hold(!isUsable(url, allowHttp), 'a usable URL was refused');
      hold(
        !/[\p{Cc}\u2028\u2029]/u.test(error.message) && error.message.length < 500,
        'the message is not one short line',
      );
      for (const secret of url === undefined ? [given] : [url.password, url.username]) {
        const shown = error.message.replace(EXAMPLE, '');
        hold(secret.length < 12 || !shown.includes(secret), 'the message contains a secret');
      }
      return;
    }
    hold(isUsable(url, allowHttp), `accepted ${base}`);
    same(parseBaseUrl(base, allowHttp), base, 'the base URL of the base URL');
    const whole = new URL(base + PATH);
    same([whole.origin, whole.search], [url?.origin, '?limit=1'], 'origin and query');
    same(whole.pathname, `${url?.pathname.replace(/\/+$/, '')}/api/v1/leads`, 'the path');
  },
};
