import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './tcp.ts';

/** A real Postgres on a loopback port, which a test may kill and start again. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  start(): Promise<void>;
  /** Ends it as a crash would: it says goodbye to nobody, and recovers when it is started again. */
  kill(): Promise<void>;
  /** Kills it, and removes its files. */
  remove(): Promise<void>;
}

/** Where Debian puts the programs of the server, which it does not add to PATH. */
const folderOfPrograms = (): string => {
  const [folder] = globSync('/usr/lib/postgresql/*/bin').toSorted().reverse();
  if (folder === undefined) {
    throw new Error('There is no Postgres. On Debian: apt-get install postgresql');
  }
  return folder;
};

/** Postgres refuses to run as root, so root runs it as the user that Debian has made for it. */
const user = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const id = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Starts Postgres with a new database for a program that removes it by itself. */
export const createPostgresServer = async (): Promise<PostgresServer> => {
  const programs = folderOfPrograms();
  const owner = user();
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
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  let child: ChildProcess | undefined;

  const start = async () => {
    const started = spawn(join(programs, 'postgres'), args, {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    for await (const line of createInterface(started.stderr)) {
      if (line.includes('database system is ready to accept connections')) {
        started.stderr.resume();
        return;
      }
    }
    throw new Error('Postgres ended before it was ready.');
  };
  const kill = async () => {
    if (child === undefined) {
      return;
    }
    const exited = once(child, 'exit');
    // SIGQUIT ends the backends too; after SIGKILL they would keep the data, and no new server could start.
    child.kill('SIGQUIT');
    child = undefined;
    await exited;
  };
  const remove = async () => {
    await kill();
    if (existsSync(folder)) {
      rmSync(folder, { recursive: true });
    }
  };

  await start();
  return { port, url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, kill, remove };
};
