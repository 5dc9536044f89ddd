import { randomBytes } from 'node:crypto';
import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { createMock } from '../create-mock.ts';
import { MockError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import type { MockServer } from '../server/serve-options.ts';
import { banner } from './banner.ts';
import { keepState } from './keep-state.ts';
import { latestMoment } from './latest-moment.ts';
import type { Flags } from './parse-flags.ts';
import { ownRequestLine, requestLine } from './request-line.ts';
import { readData } from './rows-file.ts';
import type { StateFile } from './state-file.ts';
import { openStateFile } from './state-file.ts';

type Print = (text: string) => void;

/** Whether other machines reach the server. */
const isExposed = ({ host }: Flags): boolean => !isLoopback(host);

/** A key that nobody else has: that of the seed is the same wherever this command runs. */
const drawKey = (): string => `confab_live_${randomBytes(24).toString('base64url')}`;

/** The one key that is valid: that of the flags; else the mock's own, or one that is drawn where others could use it. */
const keyOf = (mock: Mock, flags: Flags): string => {
  const { scopes, key = isExposed(flags) ? drawKey() : mock.apiKey } = flags;
  mock.keys.revoke(mock.apiKey);
  return mock.keys.create({ key, ...(scopes === undefined ? {} : { scopes }) }).key;
};

const build = async (flags: Flags, state: StateFile | undefined): Promise<{ mock: Mock; key: string }> => {
  // Looked at in any case: a file that can't be read should not come to light once the state is removed.
  const named = readData(flags.data);
  const data = state?.rows ?? named;
  try {
    const mock = createMock({
      seed: flags.seed,
      data,
      clock: flags.clock,
      latency: flags.latency,
      ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
    });
    for (const { target, fault } of flags.faults) {
      mock.faults.always(target, fault);
    }
    for (const url of flags.webhooks) {
      mock.webhooks.add({ url, secret: flags.webhookSecret ?? '' });
    }
    const latest = typeof data === 'string' ? undefined : latestMoment(mock.dump());
    // Otherwise new rows would be older than those of the last run, and come below them in every list.
    if (flags.clock === 'virtual' && latest !== undefined && latest >= mock.clock.now()) {
      await mock.clock.set(latest + 1);
    }
    return { mock, key: keyOf(mock, flags) };
  } catch (error) {
    // A MockError says what is wrong with the flags; anything else is a bug.
    throw error instanceof MockError ? new UsageError(error.message) : error;
  }
};

const open = async (mock: Mock, flags: Flags, print: Print): Promise<MockServer> => {
  try {
    return await listen(mock, {
      port: flags.port,
      host: flags.host,
      ...(flags.adminToken === undefined ? {} : { adminToken: flags.adminToken }),
      ...(flags.quiet
        ? {}
        : {
            onRequest: (request) => print(requestLine(request)),
            onOwnRequest: (request) => print(ownRequestLine(request)),
          }),
    });
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'EADDRINUSE') {
      throw new UsageError(`Port ${flags.port} is taken; choose another with --port, or 0 for any free one`);
    }
    if (typeof code === 'string') {
      throw new UsageError(`Can't listen at ${flags.host}:${flags.port} (${code})`);
    }
    throw error;
  }
};

const serveFlags = async (flags: Flags, state: StateFile | undefined, print: Print) => {
  const { mock, key } = await build(flags, state);
  const server = await open(mock, flags, print);
  return { mock, key, server };
};

/**
 * Starts the mock as a server; resolves to what ends it, and saves its state, once however often it is called.
 *
 * @param warn Told what goes wrong meanwhile.
 * @throws {UsageError} For flags that can't be, a bad file, or a port that is taken.
 */
export const start = async (
  flags: Flags,
  print: Print,
  warn: Print = () => {},
): Promise<() => Promise<void>> => {
  const state = flags.state === undefined ? undefined : openStateFile(flags.state);
  const { mock, key, server } = await serveFlags(flags, state, print).catch((error: unknown) => {
    state?.lock.release();
    throw error;
  });
  const keeper = state && keepState(mock, state, warn);
  const { scopes, quiet, clock, adminToken } = flags;
  const exposed = isExposed(flags);
  const controls = adminToken === undefined && !exposed;
  const leads = mock.leads.count();
  const drawn = exposed && flags.key === undefined;
  print(banner({ url: server.url, key, drawn, scopes, leads, quiet, clock, controls, exposed }));
  const end = async (): Promise<void> => {
    try {
      await mock.close();
    } finally {
      keeper?.end();
    }
  };
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
};
