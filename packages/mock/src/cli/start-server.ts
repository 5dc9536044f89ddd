import { checkServeOptions } from '../server/check-serve-options.ts';
import { checkOptions } from '../world/options.ts';
import type { Flags } from './flags.ts';
import { toUsageError } from './flags.ts';
import type { Io, Started } from './io.ts';
import type { SavedFile, Source } from './saved-file.ts';
import type { CommandTls } from './tls.ts';
import { openTls } from './tls.ts';

/** A server that listens, and the data that its file keeps. */
interface Listening extends Source {
  readonly banner: string;
  finish(ms: number): Promise<void>;
  close(): Promise<void>;
  /** Called once the file is written. */
  readonly onStopped?: (() => void) | undefined;
}

/**
 * Starts a server. Releases its file and its certificate when it stops, or when it can't start.
 *
 * @param file The file that its data is saved to, if any.
 * @throws A {@link UsageError} when a flag or file is invalid, or the port is in use.
 */
export const startServer = async (
  flags: Flags,
  { warn }: Io,
  file: SavedFile | undefined,
  listen: (tls: CommandTls | undefined) => Promise<Listening>,
): Promise<Started> => {
  let tls: CommandTls | undefined;
  try {
    const { port, host, cors, adminToken, worldTtl, seed, latency, rateLimit } = flags;
    checkServeOptions({ port, host, cors, adminToken, worldTtl });
    checkOptions({ seed, latency, rateLimit });
    tls = await openTls(flags);
    const server = await listen(tls);
    const saveAndRelease = file?.keep(server, warn);
    const stop = async (graceMs: number): Promise<void> => {
      try {
        await server.finish(graceMs);
        await server.close();
      } finally {
        tls?.end();
        saveAndRelease?.();
      }
      server.onStopped?.();
    };
    let stopping: Promise<void> | undefined;
    return {
      banner: server.banner,
      stop(graceMs = 0) {
        stopping ??= stop(graceMs);
        return stopping;
      },
    };
  } catch (error) {
    tls?.end();
    file?.release();
    throw toUsageError(error, flags);
  }
};
