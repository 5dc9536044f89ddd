/**
 * Accepts exactly the https URLs (http on loopback, or where it is allowed) to which a path can be appended. Requests keep
 * their origin and path. No message contains a password, or a text that is no URL.
 */
import { ConfigurationError, createClient } from '@confab/client';
import { assert, checkMessage, fc, fuzz, nearText, piece } from './kit.ts';

/** The example in the message about a text that is not a URL. Any part of it could be the input. */
const EXAMPLE = 'https://api.example.com';
const REQUEST = '/leads?limit=1';

/** Whether packets for a host stay on this machine. `URL` has normalized the host. */
const staysHere = (host: string): boolean => /^(?:(?:.+\.)?localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(host);

const isUsable = (url: URL | null, allowHttp: boolean): url is URL =>
  url !== null &&
  url.username + url.password === '' &&
  !/[?#]/.test(url.href) &&
  (url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || staysHere(url.hostname))));

/** The URL that a client requests. */
const requested = async (baseUrl: string, dangerouslyAllowHttp: boolean): Promise<string> => {
  let requestedUrl = '';
  const fetch = async (url: string) => {
    requestedUrl = url;
    return Response.json({ success: true, data: [] });
  };
  const confab = createClient({ baseUrl, dangerouslyAllowHttp, fetch, apiKey: 'key', rateLimit: false });
  await confab.request({ method: 'GET', path: '/leads', query: { limit: 1 } });
  return requestedUrl;
};

const EXAMPLES = [
  'http://10.0.0.7:8080/base',
  'https://api.example.com/v1/',
  'http://localhost:4010',
  'https://user:password1234@api.example.com?x#y',
  'confab_live_0123456789',
];
const TOKENS =
  'https:// http:// 127.0.0.1 localhost .localhost [::1] user:password1234@ @ %2F // /../ \\ ? # 0x7f.1 xn-- 。';

fuzz(
  'client-base-url: a base URL is accepted exactly if it is safe and a path can be appended to it',
  fc.record({ text: nearText(EXAMPLES, piece(TOKENS.split(' '))), allowHttp: fc.boolean() }),
  async ({ text, allowHttp }) => {
    const url = URL.parse(text);
    try {
      const sent = await requested(text, allowHttp);
      assert.ok(isUsable(url, allowHttp), `accepted ${text}`);
      const { origin, pathname, search } = new URL(sent);
      assert.deepEqual([origin, pathname + search], [url.origin, url.pathname.replace(/\/+$/, '') + REQUEST]);
      assert.equal(await requested(sent.slice(0, -REQUEST.length), allowHttp), sent);
    } catch (error) {
      assert.ok(error instanceof ConfigurationError, error as Error);
      assert.ok(!isUsable(url, allowHttp), `refused ${text}`);
      const { username = text, password = '' } = (url ?? {}) as Partial<URL>;
      checkMessage(
        error.message.replace(EXAMPLE, ''),
        [username, password].filter(({ length }) => length >= 12),
        1_200,
      );
    }
  },
  EXAMPLES.flatMap((text) => [
    { text, allowHttp: true },
    { text, allowHttp: false },
  ]),
);
