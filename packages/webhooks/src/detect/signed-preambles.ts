import type { TimestampOptions } from '../signature/plain.ts';

/** A text that may precede the body in the signed bytes. */
export interface SignedPreamble {
  readonly text: string;
  readonly timestamp?: Required<Pick<TimestampOptions, 'header' | 'separator'>> | undefined;
}

/** The separators that senders put between a timestamp and the body. */
export const SEPARATORS = ['.', ':', '', '|', '\n'];

/** Each timestamp adds preambles, and a stranger may have sent them. */
const MAX_TIMESTAMPS = 8;

/** Whether a text looks like a Unix time in seconds or milliseconds, of any year from 2001 to 2065. */
export const isUnixTime = (text: string): boolean => /^[12]\d{9}(?:\d{3})?$/.test(text);

/** Lists all preambles to try: none, and each header with a Unix time with each separator. */
export const signedPreambles = (
  headers: readonly (readonly [name: string, value: string])[],
): SignedPreamble[] => [
  { text: '' },
  ...headers
    .filter(([, value]) => isUnixTime(value))
    .slice(0, MAX_TIMESTAMPS)
    .flatMap(([header, value]) =>
      SEPARATORS.map((separator) => ({ text: value + separator, timestamp: { header, separator } })),
    ),
];
