import type { TimestampOptions } from '../signature/signature-options.ts';

/** A text that may precede the body in the signed bytes. */
export interface SignedPreamble {
  readonly text: string;
  readonly timestamp?: Required<Pick<TimestampOptions, 'header' | 'separator'>> | undefined;
}

/** The separators that senders put between a timestamp and the body. */
export const SEPARATORS = ['.', ':', '', '|', '\n'];

/** Lists all preambles to try: none, and each header of digits with each separator. */
export const signedPreambles = (
  headers: readonly (readonly [name: string, value: string])[],
): SignedPreamble[] => [
  { text: '' },
  ...headers
    .filter(([, value]) => /^[0-9]{1,15}$/.test(value))
    .flatMap(([header, value]) =>
      SEPARATORS.map((separator) => ({ text: value + separator, timestamp: { header, separator } })),
    ),
];
