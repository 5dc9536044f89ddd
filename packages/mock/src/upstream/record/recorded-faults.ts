import type { Operation } from '@confab/client/contract';
import type { Fault } from '../../world/faults/fault.ts';
import { LIMIT_HEADERS } from '../drift.ts';
import type { Outcome } from '../fetch-upstream.ts';
import { kindOf } from './recorded-rows.ts';

/** A number with more digits may be a phone number. */
const COUNT = /^\d{1,6}$/;

/** Sent in place of a body that is not a JSON object, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

/** Returns the fault to record for an exchange; `undefined` if the mock gives the same response from rows. */
export const toFault = (operation: Operation, outcome: Outcome): Fault | undefined => {
  if (outcome.kind === 'connection-lost') {
    return { network: 'error' };
  }
  const { status } = outcome;
  if (outcome.kind === 'failure') {
    return { status, code: outcome.code };
  }
  const { headers, bytes, json } = outcome;
  // Programs react to these headers.
  const counts = Object.fromEntries(
    [...headers].filter(([name, value]) => LIMIT_HEADERS.includes(name) && COUNT.test(value)),
  );
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    const body = bytes.length === 0 ? '' : PAGE;
    return { status, body, headers: { ...counts, 'content-type': 'text/html' } };
  }
  const isExpected = status < 300 && operation.response.safeParse(json.value).success;
  if (isExpected && kindOf(operation) !== undefined) {
    return undefined;
  }
  return { status, body: json.value, ...(Object.keys(counts).length > 0 && { headers: counts }) };
};
