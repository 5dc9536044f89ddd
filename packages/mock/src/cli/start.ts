import { isLoopback, listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { createMock } from '../create-mock.ts';
import { MockError } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { randomKey } from '../server/random-key.ts';
import type { MockServer } from '../server/serve-options.ts';
import { attemptLine } from './attempt-line.ts';
import { banner } from './banner.ts';
import { keepState } from './keep-state.ts';
import { latestMoment } from './latest-moment.ts';
import type { CommandTls } from './open-tls.ts';
import { openTls } from './open-tls.ts';
import type { Paint } from './paint.ts';
import { plain } from './paint.ts';
import type { Flags } from './parse-flags.ts';
import { ownRequestLine, requestLine } from './request-line.ts';
import { readData } from './rows-file.ts';
import type { StateFile } from './state-file.ts';
import { openStateFile } from './state-file.ts';

type Print = (text: string) => void;

/** Where the log goes, and how it is colored. */
interface Output {
  readonly print: Print;
  readonly paint: Paint;
}

/** Whether other machines can reach the server. */
const isExposed = ({ host }: Flags): boolean => !isLoopback(host);

/** The only valid key: that of the flags, or the mock's own, or a random one if other machines can reach the server. */
const keyOf = (mock: Mock, flags: Flags): string => {
  const { scopes, key = isExposed(flags) ? randomKey() : mock.apiKey } = flags;
  mock.keys.revoke(mock.apiKey);
  return mock.keys.create({ key, ...(scopes === undefined ? {} : { scopes }) }).key;
};

const build = async (flags: Flags, state: StateFile | undefined): Promise<{ mock: Mock; key: string }> => {
  // Read in any case: otherwise an invalid file would go unnoticed until the state file is deleted.
  const named = await readData(flags.data);
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
    // Otherwise new rows would be older than those of the last run, and would follow them in every list.
    if (flags.clock === 'virtual' && latest !== undefined && latest >= mock.clock.now()) {
      await mock.clock.set(latest + 1);
    }
    return { mock, key: keyOf(mock, flags) };
  } catch (error) {
    // A MockError says what is wrong with the flags; anything else is a bug.
    throw error instanceof MockError ? new UsageError(error.message) : error;
  }
};

const open = async (
  mock: Mock,
  flags: Flags,
  {
    key,
    tls,
    output,
  }: { readonly key: string; readonly tls: CommandTls | undefined; readonly output: Output },
): Promise<MockServer> => {
  const { print, paint } = output;
  try {
    return await listen(mock, {
      port: flags.port,
      host: flags.host,
      apiKey: key,
      worldTtl: flags.worldTtl,
      tls: tls?.options,
      cors: flags.cors,
      allowHttp: flags.allowHttp,
      ...(flags.adminToken === undefined ? {} : { adminToken: flags.adminToken }),
      ...(flags.quiet
        ? {}
        : {
            onRequest: (request) => print(requestLine(request, mock.clock.now(), paint)),
            onOwnRequest: (request) => print(ownRequestLine(request, paint)),
            onAttempt: (delivery) => print(attemptLine(delivery, paint)),
          }),
    });
  } catch (error) {
    if (error instanceof MockError && error.code === 'CANNOT_LISTEN') {
      throw new UsageError(listenProblem(error.cause, flags, { port: '--port', host: '--host' }));
    }
    // A MockError says what is wrong with the certificate.
    throw error instanceof MockError
      ? new UsageError(error.message.replace('`tls`', '--tls-cert and --tls-key'))
      : error;
  }
};

const serveFlags = async (flags: Flags, state: StateFile | undefined, output: Output) => {
  const { mock, key } = await build(flags, state);
  const tls = await openTls(flags);
  try {
    return { mock, key, tls, server: await open(mock, flags, { key, tls, output }) };
  } catch (error) {
    tls?.end();
    throw error;
  }
};

/**
 * Starts the mock as a server. Resolves to a function that stops it and saves its state; later calls of it have no effect.
 *
 * @param warn Called with problems that occur meanwhile.
 * @param paint Colors the log.
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const start = async (
  flags: Flags,
  print: Print,
  warn: Print = () => {},
  paint: Paint = plain,
): Promise<() => Promise<void>> => {
  const state = flags.state === undefined ? undefined : openStateFile(flags.state);
  const { mock, key, tls, server } = await serveFlags(flags, state, { print, paint }).catch(
    (error: unknown) => {
      state?.lock.release();
      throw error;
    },
  );
  const keeper = state && keepState(mock, state, warn);
  const { scopes, quiet, clock, adminToken } = flags;
  const exposed = isExposed(flags);
  const controls = adminToken === undefined && !exposed;
  print(
    banner({
      url: server.url,
      key,
      randomKey: exposed && flags.key === undefined,
      scopes,
      leads: mock.leads.count(),
      quiet,
      clock,
      state:
        state && flags.state !== undefined
          ? { path: flags.state, isNew: state.rows === undefined, data: flags.data }
          : undefined,
      controls,
      inspector: controls || adminToken !== undefined,
      exposed,
      secure: tls !== undefined || flags.allowHttp,
      caFile: tls?.caFile,
    }),
  );
  const end = async (): Promise<void> => {
    try {
      await mock.close();
    } finally {
      tls?.end();
      keeper?.end();
    }
  };
  let ended: Promise<void> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
};
