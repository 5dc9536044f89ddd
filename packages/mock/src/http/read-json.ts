import { isDeep, MAX_DEPTH } from './is-deep.ts';

/** A body: its JSON value, or its text together with the reason why it is not JSON. */
interface ReadJson {
  readonly value: unknown;
  /** Why the text was not accepted as JSON: `must be JSON, not empty`. */
  readonly problem: string | undefined;
}

/** Reads a text as JSON, ignoring a byte order mark at its start. */
export const readJson = (body: string): ReadJson => {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  // Most requests have no body, and an exception for each of them would cost more than everything else.
  if (text === '') {
    return { value: undefined, problem: 'must be JSON, not empty' };
  }
  if (isDeep(text)) {
    return { value: text, problem: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  try {
    return { value: JSON.parse(text), problem: undefined };
  } catch {
    return { value: text, problem: 'must be JSON, not other text' };
  }
};
