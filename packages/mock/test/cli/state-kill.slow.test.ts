import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { create, folder, leadsIn, running, serving } from '../support/command.ts';

test('a kill during a save leaves a complete file, with which the next run continues', async () => {
  const path = folder();
  const [state, rows] = [join(path, 'state.json'), join(path, 'rows.json')];
  writeFileSync(
    rows,
    JSON.stringify({ leads: Array.from({ length: 4_000 }, (_, index) => ({ displayName: `${index}` })) }),
  );
  let least = 0;
  for (let nth = 0; nth < 3; nth += 1) {
    const { child, call, ended } = await running('--state', state, '--data', rows, '--rate-limit', '100000');
    let calling = true;
    const calls = (async () => {
      for (let made = 0; calling; made += 1) {
        await call('/api/v2/public/leads', create(`+5511${nth}${String(80_000_000 + made)}`)).catch(() => {});
      }
    })();
    // As soon as a save has begun, or as good as.
    while (!existsSync(`${state}.partial`)) {
      await new Promise(setImmediate);
    }
    child.kill('SIGKILL');
    calling = false;
    await Promise.all([ended, calls]);
    if (!existsSync(state)) {
      continue;
    }
    const { length } = leadsIn(state);
    expect(length).toBeGreaterThanOrEqual(Math.max(4_000, least));
    least = length;
  }
  const last = await serving('--state', state, '--data', rows);
  await last.stop();
  expect(readdirSync(path).toSorted()).toEqual(['rows.json', 'state.json']);
});
