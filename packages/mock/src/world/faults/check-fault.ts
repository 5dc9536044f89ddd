import { namesOf } from '@confab/internal';
import { checkNames, checkWord } from '../../checks/check-names.ts';
import { checkWait, checkWhole } from '../../checks/check-number.ts';
import { checkOperation } from '../../checks/check-operation.ts';
import { shown } from '../../checks/shown.ts';
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
  skip: true,
});

/** The fields that say when a fault takes effect, and not what goes wrong. */
const CONDITIONS: readonly string[] = ['probability', 'skip'] satisfies (keyof Fault)[];

const checkHeaders = (headers: Readonly<Record<string, string>>): void => {
  try {
    new Headers(headers);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`The \`headers\` of a fault are invalid: ${reason}`);
  }
};

/** Refuses a fault without effect, because a test with it would pass for the wrong reason. */
const checkEffect = ({ probability: _, skip: __, ...effects }: Fault): void => {
  if (Object.values(effects).every((effect) => effect === undefined)) {
    const names = FIELDS.filter((name) => !CONDITIONS.includes(name)).map((name) => `\`${name}\``);
    throw invalidArgument(
      `A fault must have at least one of ${names.join(', ')}, such as { status: 503 } or { network: 'error' }`,
    );
  }
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it has no effect, a field is unknown, or a value invalid. */
export const checkFault = (fault: Fault): void => {
  checkNames('fault field', fault, FIELDS);
  checkEffect(fault);
  const { status, delayMs = 0, probability = 1, headers = {}, network, skip = 0 } = fault;
  if (network !== undefined) {
    checkWord('network fault', network, NETWORK_FAULTS);
  }
  if (status !== undefined) {
    checkWhole('The `status` of a fault', status, 200, 599);
  }
  checkWhole('The `skip` of a fault', skip, 0);
  checkWait('The `delayMs` of a fault', delayMs);
  if (!(typeof probability === 'number' && probability >= 0 && probability <= 1)) {
    throw invalidArgument(
      `The \`probability\` of a fault must be a number from 0 to 1, got ${shown(probability)}`,
    );
  }
  checkHeaders(headers);
};
