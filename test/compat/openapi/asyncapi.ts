import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RunningMock } from './mock.ts';
import { FOLDER } from './tool.ts';

interface Diagnostic {
  readonly code: string | number;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface Parser {
  readonly parse: (text: string) => Promise<{ readonly diagnostics: readonly Diagnostic[] }>;
}

const PUBLISHED = join(FOLDER, '../../packages/client/asyncapi.json');

/** It recommends 3.1. Tools that do not know 3.1 yet can read a document of 3.0. */
const EXPECTED = 'asyncapi-latest-version';

/** Lets AsyncAPI's own parser read the published document, and the one that the mock serves: no error, no hint. */
export const parseAsyncApi = async (mock: RunningMock): Promise<void> => {
  const { Parser } = createRequire(join(FOLDER, 'package.json'))('@asyncapi/parser') as {
    Parser: new () => Parser;
  };
  const problemsOf = async (text: string): Promise<string[]> => {
    const { diagnostics } = await new Parser().parse(text);
    return diagnostics
      .filter(({ code }) => code !== EXPECTED)
      .map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
  };

  const published = readFileSync(PUBLISHED, 'utf8');
  const problems = [...(await problemsOf(published)), ...(await problemsOf(await mock.asyncApi()))];
  if (problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
  const broken = published.replace('"type": "string"', '"type": "text"');
  if ((await problemsOf(broken)).length === 0) {
    throw new Error('The parser accepts a schema with an unknown type.');
  }
};
