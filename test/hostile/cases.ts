import type { Target } from './uploads.ts';
import { upload, uploadAndHangUp, uploadForever, uploadInBytes } from './uploads.ts';

const MIB = 1_048_576;

/** Asks the process under test one of the questions in `child.ts`. */
type Ask = (...question: string[]) => Promise<unknown>;

/** A hostile upload or response, and what it may cost. */
export interface Case {
  readonly subject: 'receiver' | 'mock' | 'client';
  readonly name: string;
  /** The byte limit that applies, times the number of bodies in progress at the same time. */
  readonly limit: number;
  /** Ordinary work of the same size, done before measuring. */
  readonly warmUp: (url: string, ask: Ask) => Promise<unknown>;
  /** Returns each kind of response once. */
  readonly run: (url: string, ask: Ask) => Promise<readonly unknown[]>;
  /** The only correct responses. */
  readonly responses: readonly unknown[];
  /** Whether node:http itself is busy for so long that the longest stall says nothing about the package. */
  readonly isFlood?: boolean;
}

const times = async <T>(count: number, atOnce: number, once: () => Promise<T>): Promise<T[]> => {
  const outcomes = new Set<T>();
  for (let done = 0; done < count; done += atOnce) {
    for (const outcome of await Promise.all(Array.from({ length: atOnce }, once))) {
      outcomes.add(outcome);
    }
  }
  return [...outcomes];
};

const NESTED = '['.repeat(MIB / 2) + ']'.repeat(MIB / 2);

/** The number of uploads, how many run at once, and the only correct status. */
const UPLOADS: readonly (readonly [
  name: string,
  count: number,
  atOnce: number,
  status: number,
  send: (target: Target) => Promise<number>,
])[] = [
  ['4 bodies of 1 MiB, one byte a chunk', 4, 4, 401, (target) => uploadInBytes(target, MIB)],
  ['4 bodies over the limit, one byte a chunk', 4, 4, 413, (target) => uploadInBytes(target, MIB + 1)],
  ['4 bodies of 512 MiB', 4, 4, 413, uploadForever],
  ['200 uploads cut off after 512 KiB, 20 at once', 200, 20, 0, (target) => uploadAndHangUp(target, MIB)],
  ['JSON nested 500,000 deep', 8, 4, 401, (target) => upload(target, NESTED)],
];

const uploads = (subject: 'receiver' | 'mock', path: string, header: string): Case[] => {
  const targetAt = (url: string): Target => ({ url: url + path, header });
  return UPLOADS.map(([name, count, atOnce, status, send]) => ({
    subject,
    name,
    limit: atOnce * MIB,
    warmUp: (url) => times(24, 4, () => upload(targetAt(url), `"${'x'.repeat(MIB - 2)}"`)),
    run: (url) => times(count, atOnce, () => send(targetAt(url))),
    responses: [status],
    isFlood: name.endsWith('one byte a chunk'),
  }));
};

const LEADS = '/api/v2/public/leads';

const statusOfLog = async (url: string): Promise<number> => (await fetch(`${url}/__mock/requests`)).status;

const call = (name: string, outcome: string): Case => ({
  subject: 'client',
  name,
  limit: 10 * MIB,
  warmUp: (url, ask) => times(20, 1, () => ask('call', `${url}/honest`)),
  run: async (url, ask) => [await ask('call', `${url}/${encodeURIComponent(name)}`)],
  responses: [outcome],
});

export const CASES: readonly Case[] = [
  ...uploads('receiver', '/', 'x-signature: 00'),
  ...uploads('mock', LEADS, 'x-api-key: confab_live_nobody'),
  {
    subject: 'mock',
    name: '1,200 bodies of 1 MB without a key, then the log',
    limit: 16 * MIB,
    warmUp: (url) => times(24, 4, () => upload({ url: url + LEADS }, 'x'.repeat(1_000_000))),
    run: async (url) => [
      ...(await times(1_200, 4, () => upload({ url: url + LEADS }, 'x'.repeat(1_000_000)))),
      await statusOfLog(url),
    ],
    responses: [401, 200],
  },
  {
    subject: 'mock',
    name: 'a body nested 500,000 deep, with a key, then the log',
    limit: 16 * MIB,
    warmUp: async () => {},
    run: async (url, ask) => {
      const header = `x-api-key: ${await ask('key')}`;
      return [await upload({ url: url + LEADS, header }, NESTED), await statusOfLog(url)];
    },
    responses: [400, 200],
  },
  call('a gzip bomb', 'INVALID_RESPONSE'),
  call('a gzip bomb as an error', 'HTTP_500'),
  call('one byte at a time', 'ok'),
  call('an endless body', 'INVALID_RESPONSE'),
  call('an endless error', 'HTTP_503'),
  call('JSON nested 100,000 deep', 'INVALID_RESPONSE'),
  call('an error nested 100,000 deep', 'HTTP_400'),
];
