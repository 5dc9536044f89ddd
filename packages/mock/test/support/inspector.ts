import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import type { MockServer, ServeOptions } from '../../src/server/serve-options.ts';
import { folder } from './command.ts';

/** Serves a mock with a page that stands in for that of the inspector, which only a build contains, until the test ends. */
export const serveStandIn = async (options: ServeOptions = {}): Promise<MockServer> => {
  const inspectorFolder = folder();
  mkdirSync(join(inspectorFolder, 'inspector'));
  writeFileSync(join(inspectorFolder, 'index.html'), '<!doctype html><title>Inspector</title>');
  writeFileSync(join(inspectorFolder, 'inspector/main-1a2b.js'), 'export {};');
  writeFileSync(join(inspectorFolder, 'inspector/main-1a2b.js.map'), '{}');
  const server = await listen(createMock(), { ...options, inspectorFolder });
  onTestFinished(() => server.close());
  return server;
};
