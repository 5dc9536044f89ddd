import { UsageError } from '@confab/internal/cli';
import { endOfString, isDeep } from '../request/json.ts';
import { syntaxProblem } from './syntax-problem.ts';

const COLON = /\s*:/y;

const isName = (text: string, end: number): boolean => {
  COLON.lastIndex = end + 1;
  return COLON.test(text);
};

/** What is wrong with the name of a field; `undefined` if nothing is. */
export const nameProblem = (name: string, isKnown: boolean): string | undefined => {
  if (name === '__proto__') {
    return 'no field can have the name __proto__';
  }
  return isKnown ? `the field ${JSON.stringify(name)} occurs twice in one object` : undefined;
};

/**
 * Finds the first bad field name in a valid JSON text. The parser does not: of two fields with one name, it silently drops
 * the first.
 */
const namesProblem = (text: string): string | undefined => {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(new Set());
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const start = at;
      at = endOfString(text, start);
      if (isName(text, at)) {
        const name = String(JSON.parse(text.slice(start, at + 1)));
        const names = open.at(-1);
        const problem = nameProblem(name, names?.has(name) ?? false);
        if (problem !== undefined) {
          return `${problem}, at line ${text.slice(0, start).split('\n').length}`;
        }
        names?.add(name);
      }
    }
  }
  return undefined;
};

const parsed = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON: ${syntaxProblem(text)}`);
  }
};

/**
 * Parses the text of a JSON file.
 *
 * @throws {@link UsageError} When it is not JSON, is nested too deeply, or has a field twice.
 */
export const parseJson = (path: string, text: string): unknown => {
  const value = parsed(path, text);
  const problem = isDeep(text) ? 'it is nested too deeply' : namesProblem(text);
  if (problem !== undefined) {
    throw new UsageError(`Can't load ${path}: ${problem}`);
  }
  return value;
};
