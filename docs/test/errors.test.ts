import { expect, test } from 'vitest';
import { list, read } from '../.vitepress/content/repository.ts';

/** The files in which the packages list their codes: as values of `code`, and as members of unions. */
const sources = list(
  'packages/client/src/errors/*-error.ts',
  'packages/webhooks/src/{errors,receive}.ts',
  'packages/webhooks/src/cli/{listen,post}.ts',
  'packages/client/src/errors/*-errors.ts',
  'packages/mock/src/errors/*.ts',
  'packages/mock/src/upstream/fetch-upstream.ts',
  'packages/mock/src/request/apply-fault.ts',
  'packages/mock/src/world/faults/request-faults.ts',
);

const codes = new Set(
  sources
    .flatMap((path) => [
      ...read(path).matchAll(
        /\bcode(?: =|:) ('[A-Z_]+'(?: \| '[A-Z_]+')*)|^ {2}\| ('[A-Z_]+')|Code = ('[A-Z_]+'.*);$/gm,
      ),
      ...read(path).matchAll(
        /(?:errorBody\(message, | \? |\{ error: )('[A-Z_]+'(?: : '[A-Z_]+')?)(?:\)| \})|refuse\(\d+, '[A-Z_]+'/g,
      ),
    ])
    .flatMap(([found]) => found.match(/'[A-Z_]+'/g) ?? [])
    .map((quoted) => quoted.slice(1, -1)),
);

test('docs/errors.md, to which docsUrl leads, has one heading for each error code', () => {
  const headings = [...read('docs/errors.md').matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(codes.size).toBeGreaterThan(40);
  expect(headings.toSorted()).toEqual([...codes].sort());
});
