import type { Subject } from './child.ts';
import type { Target } from './hostile-uploads.ts';
import { upload, uploadAndHangUp, uploadForever, uploadInBytes } from './hostile-uploads.ts';

const MIB = 1_048_576;

/** Far above what was measured (60 ms at most), and far below what an unbounded read takes (seconds). */
export const MAX_STALL_MS = 250;

/**
 * How many times the processor time of a bare node:http server a body in chunks of one byte may take.
 *
 * Here the longest stall says nothing about us. Between two turns of the event loop, libuv reads up to 32 times from a
 * connection that always has data, so node:http alone can be busy for half a second, or for a tenth of that.
 */
const MAX_WORK = 3;

export type SubjectName = 'bare' | 'receiver' | 'mock' | 'client';

/** One hostile thing, and what the subject may use for it. */
export interface Case {
  readonly subject: SubjectName;
  readonly name: string;
  /** The byte limit that applies, times the number of bodies that are under way at once. */
  readonly limit: number;
  /** How many times the processor time of a bare node:http server it may take; then the longest stall is not looked at. */
  readonly maxWork?: number;
  /** Ordinary work of the same size, done before measuring. */
  readonly warmUp: (subject: Subject, url: string) => Promise<unknown>;
  /** @returns How the subject answered, once for each kind of answer. */
  readonly run: (subject: Subject, url: string) => Promise<readonly (string | number)[]>;
  /** The only answers that are right. */
  readonly answers: readonly (string | number)[];
}

const times = async <T>(count: number, atOnce: number, once: () => Promise<T>): Promise<T[]> => {
  const outcomes: T[] = [];
  for (let done = 0; done < count; done += atOnce) {
    outcomes.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, once))));
  }
  return [...new Set(outcomes)];
};

const nested = (bytes: number): string => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;

const uploads = (
  subject: 'receiver' | 'mock',
  path: string,
  headers: readonly string[],
  refused: number,
  malformed: number,
): Case[] => {
  const target = ({ port }: Subject): Target => ({ port, path, headers });
  const warmUp = (under: Subject) => times(24, 4, () => upload(target(under), `"${'x'.repeat(MIB - 2)}"`));
  const shared = { subject, warmUp };
  return [
    {
      ...shared,
      name: 'a body of 1 MiB, one byte a chunk',
      limit: MIB,
      maxWork: MAX_WORK,
      run: (under) => times(1, 1, () => uploadInBytes(target(under), MIB)),
      answers: [refused],
    },
    {
      ...shared,
      name: '4 bodies of 1 MiB, one byte a chunk',
      limit: 4 * MIB,
      maxWork: MAX_WORK,
      run: (under) => times(4, 4, () => uploadInBytes(target(under), MIB)),
      answers: [refused],
    },
    {
      ...shared,
      name: '4 bodies over the limit, one byte a chunk',
      limit: 4 * MIB,
      maxWork: MAX_WORK,
      run: (under) => times(4, 4, () => uploadInBytes(target(under), MIB + 1)),
      answers: [413],
    },
    {
      ...shared,
      name: '4 bodies of 512 MiB',
      limit: 4 * MIB,
      run: (under) => times(4, 4, () => uploadForever(target(under))),
      answers: [413],
    },
    {
      ...shared,
      name: '200 uploads cut off after 512 KiB, 20 at once',
      limit: 20 * MIB,
      run: (under) => times(200, 20, () => uploadAndHangUp(target(under), MIB / 2)),
      answers: [0],
    },
    {
      ...shared,
      name: 'JSON nested 500,000 deep',
      limit: 4 * MIB,
      run: (under) => times(8, 4, () => upload(target(under), nested(MIB))),
      answers: [malformed],
    },
  ];
};

const KEY = 'x-api-key: confab_live_nobody';

const logOf = async ({ port }: Subject): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/__mock/requests`)).status;

const calls = (name: string, answers: readonly string[]): Case => ({
  subject: 'client',
  name,
  limit: 10 * MIB,
  warmUp: async (subject, url) => {
    for (let call = 0; call < 20; call += 1) {
      await subject.call(`${url}/honest`);
    }
  },
  run: async (subject, url) => [await subject.call(`${url}/${encodeURIComponent(name)}`)],
  answers,
});

export const cases: readonly Case[] = [
  ...uploads('receiver', '/', ['x-signature: 00'], 401, 401),
  ...uploads('mock', '/api/v2/public/leads', [KEY], 401, 401),
  {
    subject: 'mock',
    name: '1,200 bodies of 1 MB without a key, then the log',
    limit: 16 * MIB,
    warmUp: ({ port }) =>
      times(24, 4, () => upload({ port, path: '/api/v2/public/leads' }, 'x'.repeat(1_000_000))),
    run: async (subject) => [
      ...(await times(1_200, 4, () =>
        upload({ port: subject.port, path: '/api/v2/public/leads' }, 'x'.repeat(1_000_000)),
      )),
      await logOf(subject),
    ],
    answers: [401, 200],
  },
  {
    subject: 'mock',
    name: 'a body nested 500,000 deep, with a key, then the log',
    limit: 16 * MIB,
    warmUp: async () => {},
    run: async (subject) => {
      const key = await subject.key();
      const target = { port: subject.port, path: '/api/v2/public/leads', headers: [`x-api-key: ${key}`] };
      return [await upload(target, nested(MIB)), await logOf(subject)];
    },
    answers: [400, 200],
  },
  calls('gzip bomb', ['INVALID_RESPONSE']),
  calls('gzip bomb as an error', ['HTTP_500']),
  calls('one byte at a time', ['answered']),
  calls('an endless body', ['INVALID_RESPONSE']),
  calls('an endless error', ['HTTP_503']),
  calls('JSON nested 100,000 deep', ['INVALID_RESPONSE']),
  calls('an error nested 100,000 deep', ['HTTP_400']),
];
