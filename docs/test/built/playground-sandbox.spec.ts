import { createServer } from 'node:http';
import { openServer } from '@confab/internal/test-support';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { load, outputOf, run, withPlayground } from '../support/playground.ts';

const { open, playground } = withPlayground();

/** A server of another origin, which counts connections and requests. */
let hits: string[] = [];
const server = createServer(({ method, url }, response) => {
  hits.push(`${method} ${url}`);
  response
    .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' })
    .end("if (typeof postMessage === 'function') { postMessage('loaded'); }");
});
server.on('connection', () => hits.push('connection'));
const { url: origin, close } = await openServer(server);
afterAll(close);
beforeEach(() => {
  hits = [];
});

/** Every way in which a worker can send a request, each to a path of its own. */
const WAYS: Readonly<Record<string, string>> = {
  fetch: `await fetch(to + '/way/fetch')`,
  'fetch without CORS': `await fetch(to + '/way/opaque', { mode: 'no-cors', method: 'POST', body: 'x', keepalive: true })`,
  import: `await import(to + '/way/import')`,
  importScripts: `importScripts(to + '/way/scripts')`,
  XMLHttpRequest: `const request = new XMLHttpRequest(); request.open('GET', to + '/way/xhr', false); request.send()`,
  WebSocket: `await eventOf(new WebSocket(to.replace('http', 'ws') + '/way/socket'), 'open')`,
  WebSocketStream: `await new WebSocketStream(to.replace('http', 'ws') + '/way/stream').opened`,
  WebTransport: `await new WebTransport(to.replace('http', 'https') + '/way/transport').ready`,
  EventSource: `await eventOf(new EventSource(to + '/way/events'), 'open')`,
  Worker: `await eventOf(new Worker(to + '/way/worker'), 'message')`,
  'a worker of the worker': `const code = 'fetch("' + to + '/way/nested").then(() => postMessage(true), () => postMessage(false))';
    const { data } = await eventOf(new Worker(URL.createObjectURL(new Blob([code]))), 'message');
    if (!data) { throw new Error('failed'); }`,
  FontFace: `const font = new FontFace('x', 'url(' + to + '/way/font)'); self.fonts.add(font); await font.load()`,
  Image: `new Image().src = to + '/way/image'`,
  sendBeacon: `navigator.sendBeacon(to + '/way/beacon')`,
  RTCPeerConnection: `new RTCPeerConnection()`,
};

const tryAll = (ways: Readonly<Record<string, string>>, to: string): string => `// @ts-nocheck
const to = ${JSON.stringify(to)};
const eventOf = (target, type) => new Promise((resolve, reject) => {
  target.addEventListener(type, resolve);
  target.addEventListener('error', () => reject(new Error('failed')));
});
const ways = {
${Object.entries(ways)
  .map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code}; }`)
  .join(',\n')}
};
for (const [name, way] of Object.entries(ways)) {
  try { await way(); console.log(name, 'worked'); } catch { console.log(name, 'failed'); }
}
`;

test.for(['another origin', 'the origin of the site'])(
  'a program in the playground cannot send a request to %s',
  async (where) => {
    const { page } = playground();
    const to = where === 'another origin' ? origin : new URL(page.url()).origin;
    const responses: string[] = [];
    page.on('response', (response) => responses.push(response.url()));
    await load(page, tryAll(WAYS, to));
    await run(page);
    expect(await outputOf(page)).toEqual(Object.keys(WAYS).map((name) => `${name} failed`));
    expect(hits).toEqual([]);
    expect(responses.filter((url) => url.includes('/way/'))).toEqual([]);
  },
);

test('a worker without the policy of the sandbox can send requests in the same ways', async () => {
  const { page } = await open('logo.svg');
  await page.goto(origin);
  // Without a server for HTTP/3, a WebTransport would never be refused.
  const { WebTransport: _, ...ways } = WAYS;
  await page.evaluate(
    (code) =>
      new Promise<void>((resolve) => {
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        worker.onmessage = ({ data }) => data === 'end' && resolve();
      }),
    `(async () => { ${tryAll(ways, origin)}; postMessage('end'); })()`,
  );
  const paths = [
    'fetch',
    'import',
    'scripts',
    'xhr',
    'socket',
    'stream',
    'events',
    'worker',
    'nested',
    'font',
  ];
  expect(hits).toEqual(
    expect.arrayContaining([...paths.map((path) => `GET /way/${path}`), 'POST /way/opaque']),
  );
});

test('a program in the playground cannot read what the site or the visitor stores', async () => {
  const { page } = playground();
  await page.evaluate(() => {
    localStorage.setItem('secret', 'of the site');
    // biome-ignore lint/suspicious/noDocumentCookie: Chromium's own store of cookies needs no other test.
    document.cookie = 'secret=of-the-site';
  });
  await load(
    page,
    `// @ts-nocheck
const ways = {
  origin: () => location.origin,
  localStorage: () => localStorage.getItem('secret'),
  sessionStorage: () => sessionStorage.getItem('secret'),
  indexedDB: () => indexedDB.open('any'),
  caches: () => caches.keys(),
  cookies: () => cookieStore.getAll(),
  files: () => navigator.storage.getDirectory(),
  page: () => parent.document,
};
for (const [name, way] of Object.entries(ways)) {
  try { console.log(name, await way()); } catch (error) { console.log(name, error.name); }
}
`,
  );
  await run(page);
  expect(await outputOf(page)).toEqual([
    'origin null',
    'localStorage null',
    'sessionStorage ReferenceError',
    'indexedDB SecurityError',
    'caches ReferenceError',
    'cookies ReferenceError',
    'files TypeError',
    'page ReferenceError',
  ]);
});

/** A program that replaces `postMessage` to get at the port to the page. */
const withPort = (code: string): string => `// @ts-nocheck
const { postMessage } = MessagePort.prototype;
let port;
MessagePort.prototype.postMessage = function (...values) { port = this; return postMessage.apply(this, values); };
console.log('replaced');
${code}
`;

test('a program in the playground that replaces postMessage does not get the port to the page', async () => {
  const { page } = playground();
  await load(page, withPort('console.log(port === undefined);'));
  await run(page);
  expect(await outputOf(page)).toEqual(['replaced', 'true']);
});

test('opening a program in the playground does not load a picture in one of its comments', async () => {
  const { page } = playground();
  await load(
    page,
    `/** A picture: ![x](${origin}/hover.png) */\nconst pictured = 1;\nconsole.log(pictured);\n`,
  );
  const refused = page.waitForEvent('console', (message) =>
    message.text().includes('Content Security Policy'),
  );
  await page.locator('.view-lines').getByText('pictured').first().hover();
  await page.locator('.monaco-hover').getByText('A picture').waitFor({ timeout: 60_000 });
  expect(await page.locator('.monaco-hover img').count()).toBe(1);
  await refused;
  expect(hits).toEqual([]);
});
