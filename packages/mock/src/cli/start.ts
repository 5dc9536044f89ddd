import { createMock } from '../create-mock.ts';
import { isLoopback } from '../hosts/base-url.ts';
import type { Mock } from '../mock.ts';
import { serve } from '../server/serve.ts';
import type { MockServer } from '../server/serve-options.ts';
import { CollectionError } from '../world/collection.ts';
import { banner } from './banner.ts';
import { loadData, saveData } from './data-file.ts';
import type { Flags } from './parse-flags.ts';
import { requestLine } from './request-line.ts';
import { UsageError } from './usage-error.ts';

const build = (flags: Flags): { mock: Mock; key: string } => {
  try {
    const mock = createMock({
      seed: flags.seed,
      data: loadData(flags.data, flags.state),
      clock: flags.clock,
      latency: flags.latency,
      ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
    });
    for (const { target, fault } of flags.faults) mock.faults.always(target, fault);
    for (const url of flags.webhooks) mock.webhooks.add({ url, secret: flags.webhookSecret ?? '' });
    if (flags.key === undefined && flags.scopes === undefined) return { mock, key: mock.apiKey };
    const { key } = mock.keys.create({
      ...(flags.key === undefined ? {} : { key: flags.key }),
      ...(flags.scopes === undefined ? {} : { scopes: flags.scopes }),
    });
    return { mock, key };
  } catch (error) {
    // These say what is wrong with what was asked for; anything else is a mistake of ours.
    const known =
      error instanceof CollectionError || error instanceof TypeError || error instanceof RangeError;
    throw known ? new UsageError(error.message) : error;
  }
};

const listen = async (mock: Mock, flags: Flags, print: (text: string) => void): Promise<MockServer> => {
  try {
    return await serve(mock, {
      port: flags.port,
      host: flags.host,
      ...(flags.adminToken === undefined ? {} : { adminToken: flags.adminToken }),
      ...(flags.quiet ? {} : { onRequest: (request) => print(requestLine(request)) }),
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
 * Starts the mock as a server; resolves to what ends it, and saves its state.
 *
 * @throws {UsageError} For flags that can't be, a bad file, or a port that is taken.
 */
export const start = async (flags: Flags, print: (text: string) => void): Promise<() => Promise<void>> => {
  const { mock, key } = build(flags);
  const server = await listen(mock, flags, print);
  const { quiet, clock, adminToken, host } = flags;
  const controls = adminToken === undefined && isLoopback(host);
  print(banner({ url: server.url, key, leads: mock.leads.count(), quiet, clock, controls }));
  return async () => {
    await server.close();
    if (flags.state !== undefined) saveData(flags.state, mock.dump());
  };
};
