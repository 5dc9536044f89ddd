import { fileURLToPath } from 'node:url';
import { defineConfig, defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../../../vitest.config.ts';
import { clientThroughKy } from '../../../client/test/ky-suite/project.ts';
import { testsWithout } from '../../../client/test/support/tests-without.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The ways into a mock. */
const HOSTS = ['mock.fetch', 'msw', 'serve()'] as const;

export type HostName = (typeof HOSTS)[number];

declare module 'vitest' {
  interface ProvidedContext {
    /** Through which host the client's tests reach a mock. */
    host: HostName;
  }
}

/**
 * Runs the client's own tests once through each host: a mock stands in for their hand-written server, and responds as that
 * server would. Tests without the server are left out, because they would run as they do anyway.
 */
const clientOnHosts = HOSTS.map((host) =>
  mergeConfig(
    shared,
    defineProject({
      root: path('../../../client'),
      resolve: {
        alias: [
          { find: /^\.\/support\/server\.ts$/, replacement: path('./server.ts') },
          { find: /^\.\/deliver\.ts$/, replacement: path('./deliver.ts') },
        ],
      },
      test: {
        name: `client through ${host}`,
        include: ['test/**/*.test.ts'],
        provide: { host },
        exclude: [
          ...testsWithout(/\bstartServer\b[^;]*'\.\/support\/server\.ts'|'\.\/support\/list\.ts'/),
          'test/cli.slow.test.ts',
          'test/cli-import.slow.test.ts',
          'test/ensure-many.slow.test.ts',
          'test/ensure-phones.slow.test.ts',
        ],
      },
    }),
  ),
);

/** The client's tests once more, through each way into a mock and through ky. */
export default defineConfig({ test: { projects: [...clientOnHosts, clientThroughKy] } });
