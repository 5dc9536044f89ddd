/** Runs the checks that must pass before a change lands, in addition to `pnpm test`, and prints how long each took. */
import { spawnSync } from 'node:child_process';

const STEPS: readonly (readonly [name: string, command: string])[] = [
  ['lint', 'pnpm lint'],
  ['types', 'pnpm types'],
  ['slow tests', 'pnpm test:slow'],
  [
    "client's tests through serve() and ky",
    "pnpm --dir test hosts --project 'client through serve()' --project 'client through ky'",
  ],
  ['200 seeds of the simulation', 'pnpm --dir test simulation --seeds 200'],
  ['build', 'pnpm build'],
  ['package checks', 'node scripts/check-packages.ts && node scripts/public-api.ts && size-limit'],
  ['tarballs in Node and Chromium', 'pnpm --dir test runtimes node24 chromium'],
  ['site', 'pnpm run docs'],
];

const durations: string[] = [];
for (const [name, command] of STEPS) {
  console.log(`\n# ${name}: ${command}\n`);
  const started = performance.now();
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  durations.push(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (status !== 0) {
    console.error(`\n${name} failed. To run it alone: ${command}`);
    process.exit(1);
  }
}
console.log(`\n${durations.join('\n')}`);
