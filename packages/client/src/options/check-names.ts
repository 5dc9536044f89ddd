import { quoted, typeName } from '@confab/internal';
import { meantName } from '../contract/issues.ts';
import { ConfigurationError } from '../errors/index.ts';
import { visible } from '../errors/redaction.ts';
import { isObject } from './is-object.ts';

/**
 * Checks that options are an object without misspelled names, which only TypeScript would catch.
 *
 * @param kind One of them, as messages call it: `option of leads.get`, `field of retry`.
 * @throws {@link ConfigurationError} When a name is unknown; the message suggests what it probably means.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const [noun, of = ''] = kind.split(' of ');
  const isOption = noun === 'option';
  const owner = isOption ? of : `\`${of}\``;
  if (!isObject(given) || Array.isArray(given)) {
    throw new ConfigurationError(
      `${isOption ? 'The options of ' : ''}${owner} must be an object, got ${typeName(given)}.`,
    );
  }
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name !== undefined) {
    const meant = meantName(name, known);
    const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
    throw new ConfigurationError(`${owner} has no ${noun} ${visible(quoted(name))}. ${hint}`);
  }
};
