import { expect, test } from 'vitest';
import { list, read } from '../.vitepress/content/repository.ts';

const workflows = list('.github/workflows/*.yml');

/** Finds the jobs of a workflow: their names and lines. */
const jobsOf = (path: string): [job: string, text: string][] =>
  [
    ...read(path)
      .split(/^jobs:\n/m)[1]!
      .matchAll(/^ {2}([\w-]+):\n((?: {3,}.*\n|\n| *#.*\n)*)/gm),
  ].map(([, job = '', text = '']) => [job, text]);

test('every action in a workflow is pinned to a commit, with its version in a comment', () => {
  const used = workflows.flatMap((path) =>
    [...read(path).matchAll(/uses: (.*)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(5);
  for (const action of used) {
    expect(action).toMatch(/^(?:[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/ci\.yml)$/);
  }
});

test('no checkout in a workflow leaves credentials for later steps', () => {
  for (const path of workflows) {
    const text = read(path);
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    const careful = text.match(
      /uses: actions\/checkout@.*\n +with:\n(?: {10}.*\n)*? +persist-credentials: false\n/g,
    );
    expect(careful?.length, path).toBe(checkouts.length);
  }
});

test.for(['release', 'site'])('every job of the workflow %s declares its permissions', (name) => {
  const path = `.github/workflows/${name}.yml`;
  expect(read(path)).toMatch(/^permissions: \{\}$/m);
  const jobs = jobsOf(path);
  expect(jobs.length).toBeGreaterThan(1);
  for (const [job, text] of jobs) {
    expect(text, job).toMatch(/^ {4}permissions:\n/m);
  }
});

/** The jobs with a token that identifies them to other services, by workflow and name. */
const trusted = new Map(
  workflows.flatMap((path) =>
    jobsOf(path)
      .filter(([, text]) => text.includes('id-token: write'))
      .map(([job, text]) => [`${path.slice('.github/workflows/'.length)}: ${job}`, text]),
  ),
);

test('only the jobs that publish and deploy the site have a token that identifies them', () => {
  expect([...trusted.keys()]).toEqual(['release.yml: publish', 'site.yml: deploy']);
});

test('the job that publishes runs in the environment npm, after all checks, and builds nothing', () => {
  const publish = trusted.get('release.yml: publish') ?? '';
  expect(publish).toMatch(/^ {4}environment: npm$/m);
  expect(publish).toMatch(/^ {4}needs: \[.*\bchecks\b.*\]$/m);
  // No script of a dependency may run either.
  expect(publish).not.toMatch(/pnpm (?:run )?build/);
  expect(publish).toContain('--ignore-scripts');
});

test('the job that deploys the site runs no code of the repository, and not in the environment npm', () => {
  const deploy = trusted.get('site.yml: deploy') ?? '';
  expect(deploy).toMatch(/^ {4}environment:\n {6}name: github-pages$/m);
  expect(deploy).toMatch(/^ {4}needs: build$/m);
  expect(deploy).not.toMatch(/\brun:|actions\/checkout|environment: npm/);
});

test('no workflow uses a secret', () => {
  for (const path of workflows) {
    expect(read(path)).not.toMatch(/secrets\.|NPM_TOKEN/);
  }
});
