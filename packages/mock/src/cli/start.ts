import { listen } from '../server/serve.ts';
import type { MockData } from '../world/store/store.ts';
import { banner } from './banner.ts';
import type { BuiltMock } from './build-mock.ts';
import { buildMock } from './build-mock.ts';
import { readState, renderDataFile } from './data-file.ts';
import type { Flags } from './flags.ts';
import type { Io, Started } from './io.ts';
import { attemptLine, nonApiRequestLine, requestLine } from './log-lines.ts';
import { openSavedFile } from './saved-file.ts';
import { startServer } from './start-server.ts';
import { watchData } from './watch.ts';

/** The data that `--state` saves: all rows, and the faults, except those that flags plan again in the next run. */
const stateOf = ({ mock, flagFaults }: BuiltMock, $schema: string | undefined): MockData => ({
  ...($schema !== undefined && { $schema }),
  ...mock.dump(),
  faults: mock.faults.planned.flatMap(({ id, operation, fault, once }) =>
    flagFaults.has(id) || typeof fault === 'function' ? [] : [{ operation, fault, once }],
  ),
});

/**
 * Starts a mock as a server.
 *
 * @throws A {@link UsageError} when a flag or file is invalid, or the port is in use.
 */
export const startMock = async (flags: Flags, io: Io): Promise<Started> => {
  const { state, quiet } = flags;
  const { print, warn, paint } = io;
  const file = state === undefined ? undefined : openSavedFile(state);
  return startServer(flags, io, file, async (tls) => {
    const saved = state === undefined ? undefined : readState(state);
    const built = await buildMock(flags, saved);
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
        onNonApiRequest: (request) => print(nonApiRequestLine(request, paint)),
        onAttempt: (delivery) => print(attemptLine(delivery, paint)),
      }),
    });
    const unwatch = flags.watch ? watchData(built, start, flags, io) : undefined;
    const leads = mock.leads.count();
    const faults = mock.faults.planned.filter(({ fromData }) => fromData).length;
    return {
      banner: banner(flags, {
        url,
        key,
        leads,
        faults,
        caFile: tls?.caFile,
        isStateNew: saved === undefined,
      }),
      // Tables are immutable, so a different table is a change.
      version: () => [...Object.values(world.store.save()), mock.faults.planned.map(({ id }) => id).join()],
      text: () => renderDataFile(state ?? '', stateOf(built, saved?.$schema)),
      finish,
      close() {
        unwatch?.();
        return mock.close();
      },
    };
  });
};
