import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/program.ts';
import type { MockData } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { folder, startInProcess, writeTempFile } from '../support/command.ts';
import { KEY } from '../support/forwarding.ts';
import { idOf, json, startRealService } from '../support/real-service.ts';

/** A fault that each writer is given, in a form that each reader must understand. */
const FAULT = { status: 503, match: { params: { id: idOf(1) } } };

const quiet = { print: () => {}, warn: () => {}, paint: (_: unknown, text: string) => text };

/** What writes data for a mock. Each returns the path of a file. */
const writers: Readonly<Record<string, () => Promise<string>>> = {
  '--state': async () => {
    const path = join(folder(), 'state.json');
    const { call, stop } = await startInProcess(
      '--state',
      path,
      '--data',
      'minimal',
      '--fault',
      'agents.list:418',
    );
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
  'init, in YAML': async () => {
    const path = join(folder(), 'rows.yaml');
    await run(['init', path], quiet);
    writeFileSync(
      path,
      `${readFileSync(path, 'utf8')}faults: [{ operation: leads.get, fault: ${JSON.stringify(FAULT)} }]\n`,
    );
    return path;
  },
  'init, in JSON': async () => {
    const path = join(folder(), 'rows.json');
    await run(['init', path], quiet);
    const data = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...data, faults: [{ operation: 'leads.get', fault: FAULT }] }));
    return path;
  },
  'mock.dump()': async () => {
    const data = createMock({ data: 'demo' }).dump();
    return writeTempFile('rows.json', JSON.stringify(data));
  },
};

const parse = (path: string): MockData => load(readFileSync(path, 'utf8')) as MockData;

/** What a mock starts with, in the words of its control endpoints. */
const startOf = async (url: string) => {
  const mock = await connectMock(url);
  const faults = (await mock.faults.planned()).map(({ operation, fault, once }) => ({
    operation,
    fault,
    once,
  }));
  return { rows: await mock.dump(), faults };
};

/** What reads data for a mock. Each returns what that mock starts with. */
const readers: Readonly<Record<string, (path: string) => Promise<Awaited<ReturnType<typeof startOf>>>>> = {
  // As the fixtures of vitest and Playwright do, which are strict.
  'createMock() and the fixtures': async (path) => {
    const mock = createMock({ strict: true, data: parse(path) });
    const faults = mock.faults.planned.map(({ operation, fault, once }) => ({ operation, fault, once }));
    return { rows: mock.dump(), faults: faults as Awaited<ReturnType<typeof startOf>>['faults'] };
  },
  '--data': async (path) => startOf((await startInProcess('--data', path)).url),
  '--state': async (path) => {
    const state = path.endsWith('.yaml') ? writeTempFile('state.json', JSON.stringify(parse(path))) : path;
    return startOf((await startInProcess('--state', state)).url);
  },
  'worlds.create()': async (path) => {
    const server = await connectMock((await startInProcess()).url);
    const world = await server.worlds.create({ data: parse(path) });
    return startOf(world.baseUrl);
  },
};

describe.each(Object.keys(writers))('what %s writes', (writer) => {
  test('is read in the same way by createMock(), the fixtures, --data, --state and worlds.create()', async () => {
    const path = await (writers[writer] as () => Promise<string>)();
    const data = parse(path);
    const starts = [];
    for (const [reader, read] of Object.entries(readers)) {
      const { rows, faults } = await read(path);
      // A row that leaves a field out gets the same default with the same seed.
      starts.push(rows);
      expect([reader, rows.leads.length, rows.messages.length]).toEqual([
        reader,
        data.leads?.length,
        data.messages?.length,
      ]);
      expect([reader, faults]).toEqual([reader, data.faults?.map((plan) => ({ once: true, ...plan })) ?? []]);
    }
    expect(new Set(starts.map(({ leads }) => JSON.stringify(leads.map(({ id }) => id)))).size).toBe(1);
    if (!writer.includes('dump')) {
      expect(data.faults).toMatchObject([{ operation: 'leads.get', fault: { status: 503 } }]);
    }
  });
});

test('a state file keeps its $schema and the faults that were not used, and gains none from --fault', async () => {
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
    // Without any change of the rows.
    await eventually(() => expect(parse(path).faults).toEqual([always]));
    await stop();
    expect(parse(path)).toMatchObject({ $schema: './rows.schema.json', faults: [always], leads: [] });
  }
});

test('a new file names the JSON Schema of the package that is installed where it is', async () => {
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
