import { cpus } from 'node:os';
import { BASELINE, contenders, text } from './contenders.ts';
import { measure } from './rates.ts';
import { measureSizes } from './sizes.ts';

const times = (ratio: number | undefined) => `${(ratio ?? Number.NaN).toFixed(2)} ×`;
const misses: string[] = [];
const floor = (what: string, value: number, atLeast: number) => {
  if (!(value >= atLeast)) misses.push(`${what}: ${value.toFixed(2)}, and the floor is ${atLeast}`);
};

console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, a body of ${Buffer.byteLength(text)} bytes.\n`,
);

for (const kind of ['text', 'bytes'] as const) {
  const rates = await measure(contenders[kind]);
  console.log(
    `| Verify and parse, body as ${kind} | a second | against by hand | against standardwebhooks |`,
  );
  console.log('|---|---:|---:|---:|');
  for (const { name, perSecond, against } of rates) {
    const rate = Math.round(perSecond / 100) * 100;
    console.log(
      `| ${name} | ${rate.toLocaleString('en')} | ${times(against[BASELINE])} | ${times(against.standardwebhooks)} |`,
    );
  }
  console.log();
  const ours = rates.find(({ name }) => name === '@confab/webhooks');
  floor(`unwrap of ${kind} against by hand`, ours?.against[BASELINE] ?? 0, 0.8);
  floor(`unwrap of ${kind} against standardwebhooks`, ours?.against.standardwebhooks ?? 0, 2);
}

const sizes = await measureSizes();
console.log('| Bundle, min+gz | kB |');
console.log('|---|---:|');
for (const [name, bytes] of sizes) console.log(`| ${name} | ${(bytes / 1000).toFixed(1)} |`);
floor('room left by createWebhooks in 10 kB', 10_000 - (sizes[0]?.[1] ?? Number.NaN), 0);
floor('room left by sign in 2 kB', 2000 - (sizes[1]?.[1] ?? Number.NaN), 0);

if (misses.length > 0) {
  console.error(misses.join('\n'));
  process.exitCode = 1;
}
