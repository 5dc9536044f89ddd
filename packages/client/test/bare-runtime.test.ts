import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { ConfigurationError, createClient } from '../src/index.ts';
import { KEY, lead } from './support/data.ts';

afterEach(() => vi.unstubAllGlobals());

const base = { baseUrl: 'https://api.example.com', apiKey: KEY };
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Runs a program in a new process. */
const run = async (code: string): Promise<string> => {
  const args = ['--conditions=@confab/source', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
};

/** Runs a program that starts without these globals. */
const runWithout = (names: readonly string[], program: string): Promise<string> =>
  run(`for (const name of ${JSON.stringify(names)}) delete globalThis[name];\n${program}`);

const FETCH = ['fetch', 'Headers', 'Request', 'Response', 'FormData'];
const REST = ['AbortController', 'AbortSignal', 'DOMException', 'ReadableStream', 'btoa', 'crypto'];

test('a runtime without web APIs can import the client and its contract', { timeout: 30_000 }, async () => {
  const program = `
    const client = await import(${JSON.stringify(path('../src/index.ts'))});
    const contract = await import(${JSON.stringify(path('../src/contract/index.ts'))});
    console.log(typeof client.createClient, typeof contract.operations);
  `;
  // Without more of these globals, Node itself could not load a module.
  const without = [...FETCH, ...REST, 'queueMicrotask', 'setTimeout'];
  expect(await runWithout(without, program)).toBe('function object\n');
  expect(await runWithout([...FETCH, 'TextDecoder', 'performance'], program)).toBe('function object\n');
});

test('the client makes calls where process.getBuiltinModule throws, as in the edge runtime of Next.js', async () => {
  const output = await run(`
    Object.defineProperty(process, 'getBuiltinModule', { get() { throw new Error('not supported'); } });
    const { createClient } = await import(${JSON.stringify(path('../src/index.ts'))});
    const fetch = async () => Response.json({ success: true, data: ${JSON.stringify(lead)} });
    const { leads } = createClient({ ...${JSON.stringify(base)}, fetch });
    console.log((await leads.get('${lead.id}')).id);
  `);
  expect(output).toBe(`${lead.id}\n`);
});

test('createClient throws in a runtime without fetch', () => {
  vi.stubGlobal('fetch', undefined);
  expect(() => createClient(base)).toThrow(ConfigurationError);
  expect(() => createClient(base)).toThrow(/^This runtime has no fetch\. Pass `fetch` to createClient/);
  expect(() => createClient({ ...base, fetch: async () => Response.json({}) })).not.toThrow();
});

test('the client calls a global fetch that was replaced after its creation', async () => {
  const confab = createClient(base);
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: lead }));
  expect(await confab.leads.get(lead.id)).toEqual(lead);
});

test('without a TextDecoder, maxResponseBytes still counts bytes, not characters', async () => {
  const body = { success: true, data: { ...lead, displayName: 'Ünïcödé 👋' } };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const get = (maxResponseBytes: number) =>
    createClient({ ...base, maxResponseBytes, fetch: async () => Response.json(body) }).leads.get(lead.id);
  vi.stubGlobal('TextDecoder', undefined);
  expect(await get(bytes)).toEqual(body.data);
  await expect(get(bytes - 1)).rejects.toThrow(`more than ${bytes - 1} bytes`);
});

test('createClient accepts its base URL in browsers without `URL.parse`', () => {
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override parse = undefined as never;
    },
  );
  expect(() => createClient(base)).not.toThrow();
  expect(() => createClient({ ...base, baseUrl: 'nowhere' })).toThrow(ConfigurationError);
});

test.each([
  ['prompt', [], base],
  ['granted', ['CONFAB_LOG'], base],
  ['prompt', ['CONFAB_BASE_URL'], { apiKey: KEY }],
  ['prompt', ['CONFAB_API_KEY', 'CONFAB_BASE_URL'], {}],
])('under the Deno permission "%s", createClient reads only the variables %j', (state, asked, options) => {
  const read: unknown[] = [];
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        read.push(name);
        return { CONFAB_API_KEY: KEY, CONFAB_BASE_URL: base.baseUrl }[String(name)];
      },
    },
  );
  vi.stubGlobal('Deno', { permissions: { querySync: () => ({ state }) } });
  const { process } = globalThis;
  vi.stubGlobal('process', { env });
  try {
    createClient({ ...options, fetch: async () => Response.json({}) });
  } finally {
    vi.stubGlobal('process', process);
  }
  expect(read).toEqual(asked);
});
