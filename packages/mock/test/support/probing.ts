import type { MockData, MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { runProbe } from '../../src/upstream/probe/run-probe.ts';
import { Service } from '../../src/upstream/probe/service.ts';
import { Recorder } from '../../src/upstream/record/recorder.ts';
import { start } from './serving.ts';

const PIPELINE = '11111111-1111-4111-8111-111111111111';

const idOf = (kind: number, at: number): string =>
  `${String(kind).repeat(8)}-0000-4000-8000-${String(at).padStart(12, '0')}`;

const at = (minute: number): string => new Date(Date.UTC(2024, 0, 1) + minute * 60_000).toISOString();

const STATUSES = [
  ...['new', 'new', 'new', 'new', 'new', 'active', 'active', 'active'],
  ...['qualified', 'converted', 'converted', 'converted', 'lost'],
] as const;

/** An account whose rows answer every question: all orders, searches and formulas give different results. */
export const DISTINCTIVE_DATA = {
  pipelines: [{ id: PIPELINE }],
  leads: STATUSES.map((status, index) => ({
    id: idOf(2, index),
    phone: `+1312555${String(100 + index).padStart(4, '0')}`,
    displayName: `${['Ana', 'Bruno', 'Carla'][index % 3]} ${['Almeida', 'Brandt'][index % 2]} ${'abcdefghijklm'[index]}nders`,
    email: `person.${index}@mail.example.com`,
    source: 'website',
    status,
    createdAt: at((index * 7) % 13),
  })),
  conversations: Array.from({ length: 9 }, (_, index) => ({
    id: idOf(3, index),
    createdAt: at(index),
    lastMessageAt: at(100 + ((index * 4) % 9)),
  })),
  messages: Array.from({ length: 9 }, (_, index) =>
    Array.from({ length: 4 }, (_, turn) => ({
      id: idOf(4, index * 10 + turn),
      conversationId: idOf(3, index),
      content: `Message ${turn}`,
      createdAt: at(100 + turn),
    })),
  ).flat(),
  agents: Array.from({ length: 7 }, (_, index) => ({
    id: idOf(5, index),
    name: `Agent ${(index * 3) % 7}`,
    updatedAt: at((index * 2) % 7),
  })),
} satisfies MockData;

type ProbeSettings = Partial<ConstructorParameters<typeof Service>[0]>;

/** Probes a server, and returns the options, the findings and the writes that the command would print. */
export const probe = async (url: string, settings: ProbeSettings = {}) => {
  const writes: string[] = [];
  const service = new Service({
    // The waits of this clock end at once.
    ...{ baseUrl: url, apiKey: 'key', clock: createMock().clock, maxRequests: 80, rateLimit: 600 },
    print: (text) => writes.push(text.replace(/^Writing: |\n$/g, '')),
    showProgress: () => {},
    recorder: new Recorder({ keepPersonalData: false }),
    ...settings,
  });
  const { options, ...findings } = await runProbe(service);
  return { options, findings, service, writes };
};

/** Starts a mock server, and probes it on its own clock. */
export const probeMock = async (
  options: MockOptions,
  { scopes, ...settings }: ProbeSettings & { scopes?: string[] } = {},
) => {
  const { mock, server } = await start({}, options);
  const apiKey = scopes === undefined ? mock.apiKey : mock.keys.create({ scopes }).key;
  const result = await probe(server.url, { apiKey, clock: mock.clock, ...settings });
  return { ...result, mock };
};
