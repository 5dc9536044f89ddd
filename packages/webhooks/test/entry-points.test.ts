import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test.each([
  ['@confab/webhooks', 'createWebhooks'],
  ['@confab/webhooks/node', 'toNodeHandler'],
  ['@confab/webhooks/fastify', 'fastifyWebhooks'],
  ['@confab/webhooks/lambda', 'toLambdaHandler'],
])('%s can be required from CommonJS', (entry, name) => {
  const script = `process.stdout.write(typeof require('${entry}').${name})`;
  const args = ['--conditions=@confab/source', '--input-type=commonjs', '--eval', script];
  expect(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })).toBe('function');
});

test('code for all runtimes imports only itself and the internal package, which is bundled', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !/src\/(?:adapters|cli)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const imports = [
      ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|\} from|export .* from) .*'(.+)';$/gm),
    ];
    for (const [, from] of imports) {
      expect(from, file).toMatch(/^(?:\.\.?\/|@confab\/internal$)/);
    }
  }
});
