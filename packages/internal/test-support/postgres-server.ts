import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';
import { createProcess } from './server-process.ts';
import { freePort } from './tcp.ts';

/** A real Postgres on a loopback port, which recovers when it is started again after a kill. */
export interface PostgresServer extends ServerProcess {
  /** Kills it, and removes its files. */
  remove(): Promise<void>;
}

/** Finds the folder of the server's programs, which Debian does not add to PATH. */
const findPrograms = (): string => {
  const folder = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
  if (folder === undefined) {
    throw new Error('There is no Postgres. On Debian: apt-get install postgresql');
  }
  return folder;
};

/** Postgres refuses to run as root, so root runs it as the user that Debian has made for it. */
const postgresUser = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const id = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Starts Postgres with a new database for a program that removes it by itself. */
export const createPostgresServer = async (): Promise<PostgresServer> => {
  const programs = findPrograms();
  const owner = postgresUser();
  const folder = mkdtempSync(join(tmpdir(), 'confab-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) {
    chownSync(folder, owner.uid, owner.gid);
  }
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
    { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const port = await freePort();
  // Postgres logs to standard error.
  const command = 'exec "$0" "$@" 2>&1';
  const args = [join(programs, 'postgres'), '-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const server = createProcess('sh', ['-c', command, ...args], {
    ...owner,
    cwd: folder,
    ready: 'database system is ready to accept connections',
    // SIGQUIT ends the backends too; after SIGKILL they would keep the data, and no new server could start.
    killSignal: 'SIGQUIT',
  });
  const remove = async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  await server.start();
  return { port, url: `postgres://postgres@127.0.0.1:${port}/postgres`, ...server, remove };
};
