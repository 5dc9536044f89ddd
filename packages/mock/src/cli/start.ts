import { listen } from '../server/serve.ts';
import type { MockData } from '../world/store/store.ts';
import { worldOf } from '../world/world.ts';
import { banner } from './banner.ts';
import { buildMock } from './build-mock.ts';
import { rowsIn } from './data-file.ts';
import { toJson } from './files.ts';
import type { Flags } from './flags.ts';
import type { Io, Started } from './io.ts';
import { attemptLine, ownRequestLine, requestLine } from './log-lines.ts';
import type { SavedFile } from './saved-file.ts';
import { openSavedFile } from './saved-file.ts';
import { startServer } from './start-server.ts';
import type { CommandTls } from './tls.ts';
import { versionOf, watchData } from './watch.ts';

/** The file of `--state`, and the rows of the last run; no rows if the file is new. */
const openState = (path: string): { file: SavedFile; rows: MockData | undefined } => {
  let rows: MockData | undefined;
  const check = (text?: string) => {
    rows = text === undefined ? undefined : rowsIn(path, text);
  };
  const file = openSavedFile({ path, purpose: 'state', strict: true, check });
  return { file, rows };
};

const serveMock = async (flags: Flags, io: Io, rows: MockData | undefined, tls: CommandTls | undefined) => {
  const built = await buildMock(flags, rows);
  const { mock, key: apiKey, warnings } = built;
  warnings.forEach(io.warn);
  const start = mock.snapshot();
  const { port, host, worldTtl, maxWorldBytes, allowHttp, adminToken, cors = [], quiet } = flags;
  const { print, paint } = io;
  const log = {
    onRequest: (request: Parameters<typeof requestLine>[0]) =>
      print(requestLine(request, mock.clock.now(), paint)),
    onOwnRequest: (request: Parameters<typeof ownRequestLine>[0]) => print(ownRequestLine(request, paint)),
    onAttempt: (delivery: Parameters<typeof attemptLine>[0]) => print(attemptLine(delivery, paint)),
  };
  const server = await listen(mock, {
    port,
    host,
    worldTtl,
    maxWorldBytes,
    allowHttp,
    adminToken,
    apiKey,
    start,
    tls: tls?.options,
    cors: cors.includes('*') || (cors.length > 0 && cors),
    ...(quiet ? {} : log),
  });
  return { ...built, start, url: server.url };
};

/**
 * Starts a mock as a server.
 *
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const startMock = async (flags: Flags, io: Io): Promise<Started> => {
  const loaded = flags.watch ? versionOf(flags.data) : undefined;
  const state = flags.state === undefined ? undefined : openState(flags.state);
  return startServer(flags, io, state?.file, async (tls) => {
    const served = await serveMock(flags, io, state?.rows, tls);
    const { mock, url, key } = served;
    const unwatch = flags.watch ? watchData({ ...served, loaded }, flags, io) : undefined;
    return {
      banner: banner(flags, {
        url,
        key,
        leads: mock.leads.count(),
        caFile: tls?.caFile,
        isStateNew: state !== undefined && state.rows === undefined,
      }),
      // Tables are immutable, so a different table is a change.
      version: () => Object.values(worldOf.get(mock)?.store.state ?? {}),
      text: () => toJson(mock.dump()),
      close() {
        unwatch?.();
        return mock.close();
      },
    };
  });
};
