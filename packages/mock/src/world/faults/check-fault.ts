import { namesOf } from '@confab/internal';
import { checkNames, checkWord } from '../../checks/check-names.ts';
import { checkWait, checkWhole } from '../../checks/check-number.ts';
import { checkOperation } from '../../checks/check-operation.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import type { Fault } from './fault.ts';
import { NETWORK_FAULTS } from './fault.ts';

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is neither an operation nor `*`. */
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
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`The \`headers\` of a fault are invalid: ${reason}`);
  }
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid. */
export const checkFault = (fault: Fault): void => {
  checkNames('fault field', fault, FIELDS);
  const { status, delayMs = 0, probability = 1, headers = {}, network } = fault;
  if (network !== undefined) {
    checkWord('network fault', network, NETWORK_FAULTS);
  }
  if (status !== undefined) {
    checkWhole('The `status` of a fault', status, 200, 599);
  }
  checkWait('The `delayMs` of a fault', delayMs);
  if (!(probability >= 0 && probability <= 1)) {
    throw invalidArgument(`The \`probability\` of a fault must be a number from 0 to 1, got ${probability}`);
  }
  checkHeaders(headers);
};
