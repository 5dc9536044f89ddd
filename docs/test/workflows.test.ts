import { expect, test } from 'vitest';
import { list, read } from './support/repository.ts';

const workflows = list('.github/workflows/*.yml');

/** The jobs of a workflow, by name, each with its lines. */
const jobsOf = (path: string): [job: string, text: string][] =>
  [
    ...read(path)
      .split(/^jobs:\n/m)[1]!
      .matchAll(/^ {2}([\w-]+):\n((?: {3,}.*\n|\n| *#.*\n)*)/gm),
  ].map(([, job = '', text = '']) => [job, text]);

test('every action is pinned to a commit, with its version behind it', () => {
  const used = workflows.flatMap((path) =>
    [...read(path).matchAll(/uses: (.*)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(5);
  for (const action of used) {
    expect(action).toMatch(/^(?:[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/ci\.yml)$/);
  }
});

test('no checkout leaves credentials to later steps', () => {
  for (const path of workflows) {
    const text = read(path);
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    const careful = text.match(
      /uses: actions\/checkout@.*\n +with:\n(?: {10}.*\n)*? +persist-credentials: false\n/g,
    );
    expect(careful?.length, path).toBe(checkouts.length);
  }
});

test('every job of the release asks for its own permissions', () => {
  const path = '.github/workflows/release.yml';
  expect(read(path)).toMatch(/^permissions: \{\}$/m);
  const jobs = jobsOf(path);
  expect(jobs.map(([job]) => job)).toContain('publish');
  for (const [job, text] of jobs) {
    expect(text, job).toMatch(/^ {4}permissions:\n/m);
  }
});

test('only the job that publishes can act for npm, in an environment, after all checks', () => {
  const jobs = workflows.flatMap(jobsOf);
  const trusted = jobs.filter(([, text]) => text.includes('id-token: write'));
  expect(trusted.map(([job]) => job)).toEqual(['publish']);
  const [, publish = ''] = trusted[0] ?? [];
  expect(publish).toMatch(/^ {4}environment: npm$/m);
  expect(publish).toMatch(/^ {4}needs: \[.*\bchecks\b.*\]$/m);
  // It builds nothing, and runs no script of a dependency.
  expect(publish).not.toMatch(/pnpm (?:run )?build/);
  expect(publish).toContain('--ignore-scripts');
});

test('no workflow uses a secret', () => {
  for (const path of workflows) {
    expect(read(path)).not.toMatch(/secrets\.|NPM_TOKEN/);
  }
});
