import { counted } from '../errors/check.ts';
import type { Mock } from '../mock.ts';
import { listen } from '../server/serve.ts';
import type { MockServer } from '../server/serve-options.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { attemptLine } from './attempt-line.ts';
import { banner } from './banner.ts';
import { buildMock, isExposed } from './build-mock.ts';
import { keepState } from './keep-state.ts';
import { onlyOnce } from './only-once.ts';
import type { CommandTls } from './open-tls.ts';
import { openTls } from './open-tls.ts';
import type { Paint } from './paint.ts';
import { plain } from './paint.ts';
import type { Flags } from './parse-flags.ts';
import { reloadData } from './reload-data.ts';
import { ownRequestLine, requestLine } from './request-line.ts';
import type { StateFile } from './state-file.ts';
import { openStateFile } from './state-file.ts';
import { usageErrorOf } from './usage-error-of.ts';
import { versionOf, watchData } from './watch-data.ts';

type Print = (text: string) => void;

/** Where the log goes, and how it is colored. */
interface Output {
  readonly print: Print;
  readonly warn: Print;
  readonly paint: Paint;
}

const open = async (
  mock: Mock,
  flags: Flags,
  {
    key,
    start,
    tls,
    output,
  }: {
    readonly key: string;
    readonly start: Snapshot;
    readonly tls: CommandTls | undefined;
    readonly output: Output;
  },
): Promise<MockServer> => {
  const { print, paint } = output;
  try {
    return await listen(mock, {
      port: flags.port,
      host: flags.host,
      apiKey: key,
      start,
      worldTtl: flags.worldTtl,
      maxWorldBytes: flags.maxWorldBytes,
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
    throw usageErrorOf(error, flags);
  }
};

const serveFlags = async (flags: Flags, state: StateFile | undefined, output: Output) => {
  const { mock, key, fileFaults, warnings } = await buildMock(flags, state?.rows);
  for (const warning of warnings) {
    output.warn(warning);
  }
  const start = mock.snapshot();
  const tls = await openTls(flags);
  try {
    return {
      mock,
      key,
      fileFaults,
      start,
      tls,
      server: await open(mock, flags, { key, start, tls, output }),
    };
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
  const loaded = flags.watch ? versionOf(flags.data) : undefined;
  const state = flags.state === undefined ? undefined : openStateFile(flags.state, warn);
  const started = await serveFlags(flags, state, { print, warn, paint }).catch((error: unknown) => {
    state?.lock.release();
    throw error;
  });
  const { mock, key, start, tls, server } = started;
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
  let { fileFaults } = started;
  const load = async () => {
    const reloaded = await reloadData(mock, flags, start, fileFaults);
    fileFaults = reloaded.fileFaults;
    for (const warning of reloaded.warnings) {
      warn(warning);
    }
    if (!quiet) {
      print(`Loaded ${flags.data} again: it has ${counted(mock.leads.count(), 'lead')}.\n`);
    }
  };
  const unwatch = flags.watch ? watchData({ path: flags.data, loaded, load, warn }) : undefined;
  const end = async (): Promise<void> => {
    unwatch?.();
    try {
      await mock.close();
    } finally {
      tls?.end();
      keeper?.end();
    }
  };
  return onlyOnce(end);
};
