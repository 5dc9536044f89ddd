/** Builds the site into .vitepress/dist/, from the guides and the reference. `--base /path/` says where it will be served. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { writeAgentFiles } from './content/agent-files.ts';
import { writePages } from './content/write-pages.ts';

const { values } = parseArgs({
  options: { base: { type: 'string', default: process.env.DOCS_BASE ?? '/' } },
});
process.env.DOCS_BASE = values.base;

const docs = join(import.meta.dirname, '..');

// TypeDoc runs in a separate process, which frees the memory of a whole TypeScript program when it ends.
const { status } = spawnSync(
  join(docs, 'node_modules/.bin/typedoc'),
  ['--options', '.vitepress/reference/typedoc.config.js'],
  { cwd: docs, stdio: 'inherit' },
);
if (status !== 0) {
  process.exit(status ?? 1);
}
writePages(process.env);
await build(docs);
writeAgentFiles(join(docs, '.vitepress/dist'), process.env);
