import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS, INVARIANTS } from './faults.ts';
import { drawScenario } from './scenario.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/proof/simulation.md'), 'utf8');

test('a thousand seeds of the simulation draw all fifteen kinds of steps', () => {
  const scenarios = Array.from({ length: 1_000 }, (_, seed) => drawScenario(seed));
  const kinds = scenarios.flatMap(({ steps }) => steps.map(({ kind }) => kind));
  expect(new Set(kinds).size).toBe(15);
});

test('each invariant of the simulation has a planted fault that breaks it', () => {
  expect(FAULTS.map(({ breaks }) => breaks)).toEqual(expect.arrayContaining([...INVARIANTS]));
});

test('docs/proof/simulation.md explains each invariant, in order', () => {
  const described = [...PAGE.matchAll(/^\| `([a-z-]+)` \| /gm)].map(([, name]) => name);
  expect(described).toEqual(INVARIANTS);
});
