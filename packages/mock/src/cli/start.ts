import { listen } from '../server/serve.ts';
import type { MockData } from '../world/store/store.ts';
import { banner } from './banner.ts';
import { buildMock } from './build-mock.ts';
import { rowsIn } from './data-file.ts';
import { readIfThere, toJson } from './files.ts';
import type { Flags } from './flags.ts';
import type { Io, Started } from './io.ts';
import { attemptLine, nonApiRequestLine, requestLine } from './log-lines.ts';
import { openSavedFile } from './saved-file.ts';
import { startServer } from './start-server.ts';
import { watchData } from './watch.ts';

/** The rows that `--state` has kept of the last run; `undefined` if the file is new. */
const readState = (path: string): MockData | undefined => {
  const text = readIfThere(path);
  return text === undefined ? undefined : rowsIn(path, text);
};

/**
 * Starts a mock as a server.
 *
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const startMock = async (flags: Flags, io: Io): Promise<Started> => {
  const { state, quiet } = flags;
  const { print, warn, paint } = io;
  const file = state === undefined ? undefined : openSavedFile(state);
  return startServer(flags, io, file, async (tls) => {
    const rows = state === undefined ? undefined : readState(state);
    const built = await buildMock(flags, rows);
    const { mock, world, key, warnings } = built;
    warnings.forEach(warn);
    const start = mock.snapshot();
    const { url, finish } = await listen(mock, {
      ...flags,
      apiKey: key,
      start,
      tls: tls?.options,
      ...(!quiet && {
        onRequest: (request) => print(requestLine(request, mock.clock.now(), paint)),
        onOwnRequest: (request) => print(nonApiRequestLine(request, paint)),
        onAttempt: (delivery) => print(attemptLine(delivery, paint)),
      }),
    });
    const unwatch = flags.watch ? watchData(built, start, flags, io) : undefined;
    const leads = mock.leads.count();
    return {
      banner: banner(flags, { url, key, leads, caFile: tls?.caFile, isStateNew: rows === undefined }),
      // Tables are immutable, so a different table is a change.
      version: () => Object.values(world.store.save()),
      text: () => toJson(mock.dump()),
      finish,
      close() {
        unwatch?.();
        return mock.close();
      },
    };
  });
};
