import { namesOf } from '@confab/internal';
import { checkNames, checkWord } from '../../checks/check-names.ts';
import { checkOperation } from '../../checks/check-operation.ts';
import { isWait, WAIT_WANTED } from '../clock/calendar.ts';
import type { Fault } from './fault.ts';
import { NETWORK_FAULTS } from './fault.ts';

/** @throws {TypeError} For a name that no operation has. */
export const checkTarget = (target: string): void => checkOperation(target, ['*']);

const FIELDS = namesOf<Fault>({
  status: true,
  code: true,
  headers: true,
  delayMs: true,
  network: true,
  body: true,
  probability: true,
});

const checkHeaders = (headers: Readonly<Record<string, string>>): void => {
  try {
    new Headers(headers);
  } catch (error) {
    throw new TypeError(
      `The headers of a fault can't be sent: ${error instanceof Error ? error.message : error}`,
    );
  }
};

/** @throws {TypeError | RangeError} For a name or value that a fault can't have, or headers that can't be sent. */
export const checkFault = (fault: Fault): void => {
  checkNames('fault field', fault, FIELDS);
  const { status, delayMs = 0, probability = 1, headers = {}, network } = fault;
  if (network !== undefined) {
    checkWord('network fault', network, NETWORK_FAULTS);
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new RangeError(`The status of a fault is a whole number from 200 to 599, not ${status}`);
  }
  if (!isWait(delayMs)) {
    throw new RangeError(`The delayMs of a fault is ${WAIT_WANTED}, not ${delayMs}`);
  }
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`The probability of a fault is a number from 0 to 1, not ${probability}`);
  }
  checkHeaders(headers);
};
