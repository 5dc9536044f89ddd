import type { TimestampOptions } from '../signature/signature-options.ts';

/** What may stand before the body in the signed bytes. */
export interface SignedLead {
  readonly text: string;
  readonly timestamp?: Required<Pick<TimestampOptions, 'header' | 'join'>>;
}

/** What senders put between a timestamp and the body. */
export const JOINS = ['.', ':', '', '|', '\n'];

/** Nothing, and each header of digits alone with each way to join it. */
export const signedLeads = (headers: readonly (readonly [name: string, value: string])[]): SignedLead[] => [
  { text: '' },
  ...headers
    .filter(([, value]) => /^[0-9]{1,15}$/.test(value))
    .flatMap(([header, value]) => JOINS.map((join) => ({ text: value + join, timestamp: { header, join } }))),
];
