/**
 * Sends hostile uploads and answers to the packages, each in a process of its own, and measures what they cost it.
 * Prints the table as Markdown; exits 1 when a case takes more than ten times its byte limit in memory, keeps the event
 * loop busy for too long, or is not answered as it should be.
 */
import type { AddressInfo } from 'node:net';
import { cases } from './resources/cases.ts';
import { serveHostileAnswers } from './resources/hostile-answers.ts';
import { startSubject } from './resources/start-subject.ts';

const MIB = 1_048_576;
const MOST_MEMORY = 10;

const only = process.argv[2];
const api = serveHostileAnswers();
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

let failed = 0;
console.log('| Package | Case | Answer | Memory, times the limit | Longest stall |');
console.log('|---|---|---|---|---|');
for (const { subject: name, name: title, limit, longestStall, warmUp, run, answers } of cases) {
  if (only !== undefined && !`${name}: ${title}`.includes(only)) {
    continue;
  }
  const subject = await startSubject(name);
  try {
    await warmUp(subject, url);
    await subject.begin();
    const given = await run(subject, url);
    const { memory, stall } = await subject.end();
    const wrong = [
      given.length === answers.length && answers.every((answer) => given.includes(answer))
        ? ''
        : `answered ${given}, not ${answers}`,
      memory < limit * MOST_MEMORY ? '' : `took more than ${MOST_MEMORY} times its limit in memory`,
      stall < longestStall ? '' : `kept the event loop busy for ${longestStall} ms or more`,
    ].filter((problem) => problem !== '');
    console.log(
      `| ${name} | ${title} | ${given.join(', ')} | ${(memory / limit).toFixed(1)} × (${(memory / MIB).toFixed(0)} MiB) | ${stall.toFixed(0)} ms |`,
    );
    if (wrong.length > 0) {
      failed += 1;
      console.error(`${name}: ${title}: ${wrong.join('; ')}`);
    }
  } catch (error) {
    failed += 1;
    console.error(`${name}: ${title}: ${error instanceof Error ? error.message : error}`);
  } finally {
    subject.stop();
  }
}
api.closeAllConnections();
api.close();
console.log(`\n${failed === 0 ? 'Every case held.' : `${failed} of ${cases.length} cases failed.`}`);
process.exitCode = failed === 0 ? 0 : 1;
