import { oneLine } from '@confab/internal';
import type { ReceivedOutcome } from './outcome.ts';

/** Characters of a page's title, of a proxy's text or of a content type to quote. */
const MAX_QUOTED = 60;

/** Number of leading characters of a page to search for its title. */
const TITLE_SEARCH_LENGTH = 4_000;

/** Characters of a body that an error keeps. */
const MAX_KEPT = 10_000;

/** Returns the body for the `body` field of an error. */
export const redactBody = ({ text, redact }: Pick<ReceivedOutcome, 'text' | 'redact'>): string | undefined =>
  text === undefined ? undefined : redact(text, MAX_KEPT);

/**
 * Describes a body that is not the API's, in enough words to recognize a proxy. Messages end up in logs, and data may be
 * personal, so only the title of a page and the text of an error status are quoted.
 */
export const describeBody = ({ text = '', body, status, headers, redact }: ReceivedOutcome): string => {
  if (text.trim() === '') {
    return status === 407 ? 'a proxy asks for credentials' : 'an empty body';
  }
  const quoted = (found: string) => JSON.stringify(oneLine(found.slice(0, MAX_QUOTED)));
  // The text is redacted first, because the search would cut a key that contains `<`.
  const start = redact(text, TITLE_SEARCH_LENGTH);
  const title = body === undefined && /<title[^<>]*>([^<]+)</i.exec(start)?.[1]?.trim();
  if (title) {
    return `a page titled ${quoted(title)}`;
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (status >= 400 && body === undefined && /^(?:text\/plain)?$/i.test(type)) {
    return `a body that starts with ${quoted(start.trimStart())}`;
  }
  return `${text.length} characters of ${body === undefined ? oneLine(type.slice(0, MAX_QUOTED)) || 'an unknown type' : 'JSON'}`;
};
