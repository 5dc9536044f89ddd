import { expect, test } from 'vitest';
import { list, read } from '../.vitepress/content/repository.ts';

const files = list('packages/*/src/**/*.ts');

test.for([
  [
    'each @throws is `@throws A {@link Class} when …`',
    // Editors take a brace after `@throws` for a type, and break a link there. An abort throws the signal's reason, which
    // has no class of its own. A code or a status may precede the condition.
    /(?<=\* )@throws(?! (?:An? \{@link [^}]+\}(?:| (?:`[A-Z_]+`|\d{3}),)\s+(?:\* )?when\s|The signal's reason\b))/,
    ' * @throws {TypeError} Without a name.',
  ],
  ['each @example is a fenced block', /(?<=\* )@example(?!\n *\* ```tsx?\n)/, ' * @example\n * const a = 1;'],
] as const)('in docstrings of the packages, %s', ([, pattern, broken]) => {
  expect(broken).toMatch(pattern);
  expect(files.filter((path) => pattern.test(read(path)))).toEqual([]);
});
