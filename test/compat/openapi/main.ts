/**
 * Runs third-party tools on the OpenAPI document and checks them against `confab-mock`. Prints the results as Markdown;
 * exits with 1 when a tool reports a problem.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { CLIENTS, compileClients, runClient } from './clients.ts';
import { sendExamples } from './examples.ts';
import { lint } from './lint.ts';
import { startMock } from './mock.ts';
import { callThroughPrism } from './prism.ts';
import { GENERATED, run } from './tool.ts';

rmSync(GENERATED, { recursive: true, force: true });
mkdirSync(GENERATED);
// The folder is a workspace of its own, so this installs nothing elsewhere.
await run('pnpm', ['install', '--frozen-lockfile', '--loglevel=error']);

const mock = await startMock();
const checks: [name: string, check: () => Promise<void>][] = [
  ['Redocly, `recommended-strict`', () => lint(mock)],
  ['Prism, as a proxy that validates', () => callThroughPrism(mock)],
  ['generated clients compile', () => compileClients(mock)],
  ...CLIENTS.map(({ name, program }, at): [string, () => Promise<void>] => [
    `${name}: a create, a list, a get, an error`,
    () => runClient(mock, program, at),
  ]),
  ...Object.entries(sendExamples).map(([name, send]): [string, () => Promise<void>] => [
    `${name}, with the examples that the mock serves`,
    () => send(mock),
  ]),
];

console.log('| Tool | |');
console.log('|---|---|');
try {
  for (const [name, check] of checks) {
    try {
      await check();
      console.log(`| ${name} | ok |`);
    } catch (error) {
      console.log(`| ${name} | FAILED |`);
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
} finally {
  mock.close();
}
