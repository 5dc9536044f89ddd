import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import type { Mock, MockData } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { RemoteMock, RemoteWorld } from '../../src/remote/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { folder, runInProcess, startInProcess, writeTempFile } from '../support/command.ts';
import { KEY } from '../support/forwarding.ts';
import { idOf, json, startRealService } from '../support/real-service.ts';

/** A fault that each writer gets, and that each reader must understand. */
const FAULT = { status: 503, match: { params: { id: idOf(1) } } };

/** The functions that write data for a mock. Each one resolves to the path of a file. */
const writers = {
  '--state': async () => {
    const path = join(folder(), 'state.json');
    const flags = ['--data', 'minimal', '--fault', 'agents.list:418'];
    const { call, stop } = await startInProcess('--state', path, ...flags);
    await call('/__mock/rows/leads', { method: 'POST', body: JSON.stringify({ id: idOf(1) }) });
    const plan = { operation: 'leads.get', fault: FAULT };
    await call('/__mock/faults', { method: 'POST', body: JSON.stringify(plan) });
    await stop();
    return path;
  },
  '--record': async () => {
    const service = await startRealService();
    service.once(`GET leads/${idOf(1)}`, (_, outgoing) => json(outgoing, 503, { success: false }));
    const path = join(folder(), 'recording.json');
    const { url, stop } = await startInProcess('--forward', service.url, '--record', path);
    for (const target of ['leads', `leads/${idOf(1)}`, 'conversations']) {
      await fetch(`${url}/api/v2/public/${target}`, { headers: { 'x-api-key': KEY } });
    }
    await stop();
    return path;
  },
  init: async () => {
    const path = join(folder(), 'rows.yaml');
    await runInProcess('init', path);
    appendFileSync(path, `faults: [{ operation: leads.get, fault: ${JSON.stringify(FAULT)} }]\n`);
    return path;
  },
  'mock.dump()': async () => {
    const rows = createMock({ data: 'demo' }).dump();
    const faults = [{ operation: 'leads.get', fault: FAULT }];
    return writeTempFile('rows.json', JSON.stringify({ ...rows, faults }));
  },
};

const parse = (path: string): MockData => load(readFileSync(path, 'utf8')) as MockData;

/** The data that a mock starts with. With the same seed, a field that a row leaves out gets the same default. */
const startOf = async ({ dump, faults: { planned } }: Mock | RemoteMock | RemoteWorld) => {
  const { leads, messages } = await dump();
  const faults = typeof planned === 'function' ? await planned() : planned;
  return {
    leads: leads.map(({ id }) => id),
    messages: messages.length,
    faults: faults.map(({ operation, fault, once }) => ({ operation, fault, once })),
  };
};

const served = async (...args: string[]) => connectMock((await startInProcess(...args)).url);

/** The functions that read data for a mock. */
const readers = [
  // Strict, like the fixtures of vitest and Playwright.
  (path: string) => createMock({ strict: true, data: parse(path) }),
  (path: string) => served('--data', path),
  (path: string) => served('--state', writeTempFile('state.json', JSON.stringify(parse(path)))),
  async (path: string) => (await served()).worlds.create({ data: parse(path) }),
];

test.each(Object.entries(writers))(
  'createMock(), --data, --state and worlds.create() read the data that %s writes in the same way',
  async (_, write) => {
    const path = await write();
    const { leads = [], messages = [], faults = [] } = parse(path);
    const plans = faults.map((plan) => ({ once: true, ...plan }));
    const starts = await Promise.all(readers.map(async (read) => startOf(await read(path))));
    expect(starts).toEqual(starts.map(() => ({ ...starts[0], messages: messages.length, faults: plans })));
    expect(starts[0]?.leads).toHaveLength(leads.length);
    expect(plans).toMatchObject([{ operation: 'leads.get', fault: { status: 503 } }]);
  },
);

test('a state file keeps its $schema and its unused faults, and does not contain those of --fault', async () => {
  const path = join(folder(), 'state.json');
  const once = { operation: 'agents.list', fault: { status: 503 } };
  const always = { operation: 'leads.list', fault: { status: 429 }, once: false };
  writeFileSync(path, JSON.stringify({ $schema: './rows.schema.json', faults: [once, always] }));
  for (const expected of [503, 200]) {
    const { banner, call, stop } = await startInProcess('--state', path, '--fault', '*:1ms');
    expect(banner).toContain(
      `running with 0 leads and ${expected === 503 ? '2 planned faults' : '1 planned fault'}`,
    );
    expect((await call('/api/v2/public/agents')).status).toBe(expected);
    expect((await call('/api/v2/public/leads')).status).toBe(429);
    // The rows have not changed.
    await eventually(() => expect(parse(path).faults).toEqual([always]));
    await stop();
    expect(parse(path)).toMatchObject({ $schema: './rows.schema.json', faults: [always], leads: [] });
  }
});

test('a new data file refers to the JSON Schema of the package that is installed next to it', async () => {
  const project = folder();
  mkdirSync(join(project, 'node_modules/@confab/mock'), { recursive: true });
  mkdirSync(join(project, 'test/data'), { recursive: true });
  writeFileSync(join(project, 'node_modules/@confab/mock/data.schema.json'), '{}');
  for (const [file, $schema] of [
    ['state.json', './node_modules/@confab/mock/data.schema.json'],
    ['test/data/state.json', './../../node_modules/@confab/mock/data.schema.json'],
  ] as const) {
    const path = join(project, file);
    await (await startInProcess('--state', path)).stop();
    expect(Object.entries(parse(path))[0]).toEqual(['$schema', $schema]);
  }
});

test('a row created after data was loaded is newer than all loaded rows, on every virtual clock', async () => {
  const mock = createMock({ data: { leads: [{ createdAt: '2030-01-31T12:00:00.000Z' }] } });
  expect(mock.leads.create({}).createdAt).toBe('2030-01-31T12:00:00.001Z');
  mock.reset();
  expect(new Date(mock.clock.now()).toISOString()).toBe('2030-01-31T12:00:00.001Z');
  const last = createMock({ data: { leads: [{ createdAt: '9999-12-31T23:59:59.999Z' }] } });
  expect(last.leads.create({}).createdAt).toBe('9999-12-31T23:59:59.999Z');
});
