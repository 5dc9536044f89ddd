/**
 * Sends hostile uploads and answers to the packages, each in a process of its own, and measures what they cost it.
 * Prints the table as Markdown; exits 1 when a case takes more than ten times its byte limit in memory, keeps the event
 * loop busy for too long, takes too many times the work of a bare node:http server, or is not answered as it should be.
 */
import type { AddressInfo } from 'node:net';
import { program } from 'commander';
import type { Case, SubjectName } from './cases.ts';
import { cases, MAX_STALL_MS } from './cases.ts';
import { serveHostileAnswers } from './hostile-answers.ts';
import type { Usage } from './meter.ts';
import { startSubject } from './start-subject.ts';

const MIB = 1_048_576;
const MAX_MEMORY = 10;

const [only] = program
  .name('pnpm --dir test hostile')
  .argument('[case]', 'a part of the name of the cases to run')
  .parse().args;
const api = serveHostileAnswers();
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

const measure = async (
  name: SubjectName,
  { warmUp, run }: Case,
): Promise<Usage & { readonly given: readonly (string | number)[] }> => {
  const subject = await startSubject(name);
  try {
    await warmUp(subject, url);
    await subject.begin();
    const given = await run(subject, url);
    return { given, ...(await subject.end()) };
  } finally {
    subject.stop();
  }
};

/**
 * How many times the work of a bare node:http server a case takes. A busy machine can only make that more, so a case
 * that takes too much is measured again.
 */
const timesBare = async (name: SubjectName, attack: Case, work: number, most: number): Promise<number> => {
  let least = work / (await measure('bare', attack)).work;
  for (let again = 0; again < 2 && least >= most; again += 1) {
    const { work: repeated } = await measure(name, attack);
    least = Math.min(least, repeated / (await measure('bare', attack)).work);
  }
  return least;
};

let failed = 0;
console.log(
  '| Package | Case | Response | Memory, times the limit | Longest stall | Work, times node:http |',
);
console.log('|---|---|---|---|---|---|');
for (const attack of cases) {
  const { subject: name, name: title, limit, maxWork, answers } = attack;
  if (only !== undefined && !`${name}: ${title}`.includes(only)) {
    continue;
  }
  try {
    const { given, memory, stall, work } = await measure(name, attack);
    const times = maxWork === undefined ? undefined : await timesBare(name, attack, work, maxWork);
    const wrong = [
      given.length === answers.length && answers.every((answer) => given.includes(answer))
        ? ''
        : `responded with ${given}, expected ${answers}`,
      memory < limit * MAX_MEMORY ? '' : `took more than ${MAX_MEMORY} times its limit in memory`,
      times !== undefined || stall < MAX_STALL_MS
        ? ''
        : `kept the event loop busy for ${MAX_STALL_MS} ms or more`,
      times === undefined || times < (maxWork ?? 0)
        ? ''
        : `took ${maxWork} times the work of node:http or more`,
    ].filter((problem) => problem !== '');
    console.log(
      `| ${name} | ${title} | ${given.join(', ')} | ${(memory / limit).toFixed(1)} × (${(memory / MIB).toFixed(0)} MiB) | ${stall.toFixed(0)} ms | ${times === undefined ? '' : `${times.toFixed(1)} ×`} |`,
    );
    if (wrong.length > 0) {
      failed += 1;
      console.error(`${name}: ${title}: ${wrong.join('; ')}`);
    }
  } catch (error) {
    failed += 1;
    console.error(`${name}: ${title}: ${error instanceof Error ? error.message : error}`);
  }
}
api.closeAllConnections();
api.close();
console.log(`\n${failed === 0 ? 'Every case passed.' : `${failed} of ${cases.length} cases failed.`}`);
process.exitCode = failed === 0 ? 0 : 1;
