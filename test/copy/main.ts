/** Makes passes of `conversations.messagesSince` over accounts that change meanwhile, and checks that none loses a message. */
import { program } from 'commander';
import { runPasses } from './passes.ts';

const { passes, seed } = program
  .name('pnpm --dir test copy')
  .option('--passes <count>', 'passes to make at least', Number, 10_000)
  .option('--seed <number>', 'run this seed alone', Number)
  .parse()
  .opts<{ passes: number; seed?: number }>();

const sum = { passes: 0, broken: 0, unsettled: 0, accounts: 0 };
let problems = 0;
for (let next = seed ?? 1; sum.passes < (seed === undefined ? passes : 1); next += 1) {
  const result = await runPasses(next);
  sum.accounts += 1;
  sum.passes += result.passes;
  sum.broken += result.broken;
  sum.unsettled += result.unsettled;
  problems += result.problems.length;
  for (const problem of result.problems) {
    console.error(`BROKEN: ${result.title}: ${problem}`);
  }
  if (seed !== undefined) {
    console.log(result.title);
  }
}
console.log(
  `${sum.passes} passes over ${sum.accounts} accounts: ${sum.broken} were broken off, ${sum.unsettled} did not settle; ${problems} problems`,
);
process.exitCode = problems === 0 ? 0 : 1;
