import { defineConfig } from 'tsup';
import { docsDefine } from '../../scripts/publishing/docs-base.ts';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'adapters/node': 'src/adapters/node.ts',
    'adapters/fastify': 'src/adapters/fastify.ts',
    'adapters/lambda': 'src/adapters/lambda.ts',
    'postgres/index': 'src/postgres/index.ts',
    'redis/index': 'src/redis/index.ts',
    'cli/confab-webhooks': 'src/cli/confab-webhooks.ts',
  },
  define: docsDefine(),
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  noExternal: ['commander'],
  sourcemap: true,
  clean: true,
});
