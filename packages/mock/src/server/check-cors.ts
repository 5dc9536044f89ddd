import { typeName } from '@confab/internal';
import { invalidArgument } from '../errors/mock-error.ts';

/** Schemes of http, and those of apps, such as `capacitor://localhost`. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\,*]+$/;

const WANTED = 'an origin, such as http://localhost:5173';

/** Says why a text is not an origin, to follow its name in a message; `undefined` if it is one. */
export const originProblem = (text: unknown): string | undefined => {
  if (typeof text !== 'string') {
    return `must be ${WANTED}, got ${typeName(text)}`;
  }
  const parsed = URL.parse(text)?.origin ?? 'null';
  // The platform knows no origin of the schemes of apps.
  if (ORIGIN.test(text) && (parsed === 'null' ? !/^https?:/.test(text) : parsed === text)) {
    return undefined;
  }
  const hint = parsed === 'null' ? '' : `. Did you mean ${parsed}?`;
  return `must be ${WANTED}, got ${JSON.stringify(text)}${hint}`;
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when the option `cors` is invalid. */
export const checkCors = (cors: unknown): void => {
  if (typeof cors === 'boolean') {
    return;
  }
  if (!Array.isArray(cors)) {
    throw invalidArgument(
      `\`cors\` must be true for every origin, or an array of origins, got ${typeof cors === 'string' ? JSON.stringify(cors) : typeName(cors)}`,
    );
  }
  for (const origin of cors) {
    const problem = originProblem(origin);
    if (problem !== undefined) {
      throw invalidArgument(`Each of \`cors\` ${problem}`);
    }
  }
};
