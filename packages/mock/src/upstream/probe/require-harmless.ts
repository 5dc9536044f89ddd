import { assertEvidence } from './evidence.ts';
import type { Service } from './service.ts';

/** Codes, sources and scopes. */
const PLAIN_WORD = /^[a-z][\w.:-]{0,63}$/i;

/** A text with this many digits may contain a phone number. */
const PHONE_DIGITS = /(?:\d\D*){7}/;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** The words in the names and emails of the rows that the service has returned. */
const personalWords = ({ replies }: Service): string[] =>
  replies
    .flatMap<object>(({ body }) => body?.data ?? [])
    .flatMap((row) => ['displayName', 'email'].map((field) => String(Reflect.get(row, field) ?? '')))
    .flatMap(wordsIn);

/**
 * Returns a text of the service if it can be shown: if it is a plain word without the key or a name of the account.
 *
 * @throws A {@link NoAnswer} when it can't be shown.
 */
export const requireHarmless = (text: string, service: Service): string => {
  const words = wordsIn(text);
  const isPersonal = personalWords(service).some((word) =>
    // A short name may be part of a longer word by chance.
    word.length < 4 ? words.includes(word) : text.toLowerCase().includes(word),
  );
  assertEvidence(
    PLAIN_WORD.test(text) && !PHONE_DIGITS.test(text) && !service.hasKey(text) && !isPersonal,
    'it is not a plain word, or it contains a value of the account',
    'Set the option by hand.',
  );
  return text;
};
