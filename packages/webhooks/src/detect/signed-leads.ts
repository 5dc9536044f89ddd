import type { TimestampOptions } from '../signature/signature-options.ts';

/** What may stand before the body in the signed bytes. */
export interface SignedLead {
  readonly text: string;
  readonly timestamp?: Required<Pick<TimestampOptions, 'header' | 'separator'>>;
}

/** What senders put between a timestamp and the body. */
export const SEPARATORS = ['.', ':', '', '|', '\n'];

/** Nothing, and each header of digits alone with each separator. */
export const signedLeads = (headers: readonly (readonly [name: string, value: string])[]): SignedLead[] => [
  { text: '' },
  ...headers
    .filter(([, value]) => /^[0-9]{1,15}$/.test(value))
    .flatMap(([header, value]) =>
      SEPARATORS.map((separator) => ({ text: value + separator, timestamp: { header, separator } })),
    ),
];
