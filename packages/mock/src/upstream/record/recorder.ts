import type { Operation, OperationId } from '@confab/client/contract';
import { createRedact } from '@confab/internal';
import type { Fault, FaultPlan } from '../../world/faults/fault.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import { LIMIT_HEADERS, schemaOf } from '../drift.ts';
import type { ForwardedRequest, Outcome } from '../fetch-upstream.ts';
import { kindOf, RecordedRows } from './recorded-rows.ts';
import { createCleaner } from './stand-ins.ts';

/** With more digits, a number may be a phone. */
const COUNT = /^\d{1,6}$/;

/** Sent in place of a body that is not a JSON object, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

/**
 * The fault to record for an exchange; `undefined` if the mock gives the same from rows.
 *
 * @returns The fault with the body of the response, if that is a JSON object.
 */
const toFault = (operation: Operation, outcome: Outcome): Fault | undefined => {
  if (outcome.kind === 'connection-lost') {
    return { network: 'error' };
  }
  const { status } = outcome;
  if (outcome.kind === 'failure') {
    return { status, code: outcome.code };
  }
  const { headers, bytes, json } = outcome;
  // Programs go by these headers, if there are any.
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

/** As many characters as fit well into memory, and into a file. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface RecorderOptions {
  readonly keepPersonalData: boolean;
  /** @default 64 Mi */
  readonly maxCharacters?: number | undefined;
}

/**
 * Records what a program sees of a service, as rows and faults for a mock: the rows as they were before the program changed
 * them, so that it can run again.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly rows = new RecordedRows();
  /** With the bodies as they were: only a complete recording tells which stand-ins their texts get. */
  readonly #faults: { readonly operation: Operation; readonly fault: Fault }[] = [];
  #faultCharacters = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Whether later exchanges are not recorded, because there were too many. */
  get isFull(): boolean {
    return this.rows.characters + this.#faultCharacters > (this.#options.maxCharacters ?? MAX_CHARACTERS);
  }

  /** Records an exchange. One that belongs to no operation has nothing that a mock could repeat. */
  add(
    { route, index, method }: Pick<ForwardedRequest, 'route' | 'index' | 'method'>,
    outcome: Outcome,
  ): void {
    if (this.isFull || route === undefined || method === 'HEAD') {
      return;
    }
    const { operation } = route;
    const fault = toFault(operation, outcome);
    if (outcome.kind === 'reply') {
      this.rows.add(operation, Reflect.get(Object(outcome.json.value), 'data'), fault === undefined);
    }
    if (fault !== undefined) {
      this.#faults.push({ operation, fault: index === 0 ? fault : { ...fault, skip: index } });
      this.#faultCharacters += 200 + JSON.stringify(fault).length;
    }
  }

  /** What a file for a mock holds, without the keys, and without personal values unless they are kept. */
  data(keys: Iterable<string>): CompleteMockData & { readonly faults: readonly FaultPlan[] } {
    const clean = createCleaner(createRedact([...keys]), this.#options.keepPersonalData);
    return {
      ...this.rows.loadable(clean),
      faults: this.#faults.map(({ operation, fault }) => {
        const { status = operation.status, body } = fault;
        const isJson = typeof body === 'object';
        const cleaned = isJson ? { ...fault, body: clean(body, schemaOf(operation, status)) } : fault;
        return { operation: operation.id as OperationId, fault: cleaned };
      }),
    };
  }
}
