import { isLoopback } from '@confab/internal';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import type { MockServer } from '../server/serve-options.ts';
import { CollectionError } from '../world/collection.ts';
import { banner } from './banner.ts';
import { latestMoment } from './latest-moment.ts';
import type { Flags } from './parse-flags.ts';
import { ownRequestLine, requestLine } from './request-line.ts';
import { readData } from './rows-file.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import { UsageError } from './usage-error.ts';

/** The one key that is valid: the mock's own, unless the flags ask for another or for less of it. */
const keyOf = (mock: Mock, { key = mock.apiKey, scopes }: Flags): string => {
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
    for (const { target, fault } of flags.faults) mock.faults.always(target, fault);
    for (const url of flags.webhooks) mock.webhooks.add({ url, secret: flags.webhookSecret ?? '' });
    const latest = typeof data === 'string' ? undefined : latestMoment(mock.dump());
    // Otherwise new rows would be older than those of the last run, and come below them in every list.
    if (flags.clock === 'virtual' && latest !== undefined && latest >= mock.clock.now())
      await mock.clock.set(latest + 1);
    return { mock, key: keyOf(mock, flags) };
  } catch (error) {
    // These say what is wrong with what was asked for; anything else is a mistake of ours.
    const known =
      error instanceof CollectionError || error instanceof TypeError || error instanceof RangeError;
    throw known ? new UsageError(error.message) : error;
  }
};

const open = async (mock: Mock, flags: Flags, print: (text: string) => void): Promise<MockServer> => {
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
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${flags.port} is taken; choose another with --port, or 0 for any free one`);
    if (typeof code === 'string')
      throw new UsageError(`Can't listen at ${flags.host}:${flags.port} (${code})`);
    throw error;
  }
};

/**
 * Starts the mock as a server; resolves to what ends it, and saves its state, once however often it is called.
 *
 * @throws {UsageError} For flags that can't be, a bad file, or a port that is taken.
 */
export const start = async (flags: Flags, print: (text: string) => void): Promise<() => Promise<void>> => {
  const state = flags.state === undefined ? undefined : openStateFile(flags.state);
  const { mock, key } = await build(flags, state);
  const server = await open(mock, flags, print);
  const { scopes, quiet, clock, adminToken, host } = flags;
  const exposed = !isLoopback(host);
  const controls = adminToken === undefined && !exposed;
  const leads = mock.leads.count();
  print(banner({ url: server.url, key, scopes, leads, quiet, clock, controls, exposed }));
  const end = async (): Promise<void> => {
    await server.close();
    state?.save(mock.dump());
  };
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
};
