import { ConfigurationError, createClient } from '@confab/client';
import { createMock, MockError } from '@confab/mock';
import { createWebhooks, WebhookConfigurationError, WebhookError } from '@confab/webhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { docsBase, docsDefine } from '../../scripts/publishing/docs-base.ts';

const caught = (act: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(act)
    .catch((error: unknown) => error);

const secret = 'a secret of enough characters';
const signature = { header: 'x-signature' };

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['client', () => createClient({ apiKey: '' }), ConfigurationError, 'INVALID_CONFIGURATION'],
  [
    'webhooks, options',
    () => createWebhooks({ secret: '', signature }),
    WebhookConfigurationError,
    'INVALID_CONFIGURATION',
  ],
  [
    'webhooks',
    () => createWebhooks({ secret, signature }).verify('{}', {}),
    WebhookError,
    'MISSING_SIGNATURE',
  ],
  ['mock', () => createMock({ latency: -5 }), MockError, 'INVALID_ARGUMENT'],
] as const)(
  'docsUrl of an error in a released build links to the page of its code: %s',
  async (_, act, type, code) => {
    const error = (await caught(act)) as ConfigurationError;
    expect(error).toBeInstanceOf(type);
    expect(error.docsUrl).toBe(undefined);
    vi.stubGlobal('CONFAB_DOCS_URL', 'https://docs.example');
    expect(error.docsUrl).toBe(`https://docs.example/errors#${code}`);
  },
);

test('a code from the network can add nothing else to docsUrl', async () => {
  vi.stubGlobal('CONFAB_DOCS_URL', 'https://docs.example');
  const link = async (code: string) => {
    const confab = createClient({
      baseUrl: 'https://api.example',
      apiKey: 'confab_live_0123456789',
      retry: false,
      fetch: async () => Response.json({ success: false, error: 'no', code }, { status: 409 }),
    });
    const error = (await caught(() => confab.leads.list())) as ConfigurationError;
    expect(JSON.parse(JSON.stringify(error)).docsUrl).toBe(error.docsUrl);
    return error.docsUrl;
  };
  expect(await link('ALREADY_EXISTS')).toBe('https://docs.example/errors#ALREADY_EXISTS');
  for (const hostile of ['"><script>', 'a b', '\ud800', '../evil?x=1']) {
    expect(await link(hostile)).toBe('https://docs.example/errors#');
  }
});

test.each([
  [{}, undefined],
  [{ GITHUB_REPOSITORY: 'Owner/confab' }, 'https://owner.github.io/confab'],
  [
    { GITHUB_REPOSITORY: 'owner/confab', CONFAB_DOCS_URL: 'https://confab.example/' },
    'https://confab.example',
  ],
])('in a build with %j, docsBase() returns %s', (env, base) => {
  expect(docsBase(env)).toBe(base);
  expect(docsDefine(env)).toEqual({ CONFAB_DOCS_URL: JSON.stringify(base) ?? 'undefined' });
});
