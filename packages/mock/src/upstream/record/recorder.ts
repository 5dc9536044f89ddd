import type { Operation, OperationId } from '@confab/client/contract';
import { createRedact } from '@confab/internal';
import type { Fault, FaultPlan } from '../../world/faults/fault.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import { LIMIT_HEADERS, schemaOf } from '../drift.ts';
import type { ForwardedRequest, Outcome } from '../fetch-upstream.ts';
import { kindOf, RecordedRows } from './recorded-rows.ts';
import { createCleaner } from './stand-ins.ts';

/** A number with more digits may be a phone number. */
const COUNT = /^\d{1,6}$/;

/** Sent in place of a body that is not a JSON object, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

/** Returns the fault to record for an exchange; `undefined` if the mock gives the same response from rows. */
const toFault = (operation: Operation, outcome: Outcome): Fault | undefined => {
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

/** The maximum size of a recording, in characters: it must fit into memory and into a file. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface RecorderOptions {
  readonly keepPersonalData: boolean;
  /** @default 64 Mi */
  readonly maxCharacters?: number | undefined;
}

/**
 * Records the responses that a program gets from a service, as rows and faults for a mock. The rows are those before the
 * program changed them, so that it can run again.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly rows = new RecordedRows();
  /** With unchanged bodies: the stand-ins for their texts are known only when the recording is complete. */
  readonly #faults: { readonly operation: Operation; readonly fault: Fault }[] = [];
  #faultCharacters = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Whether later exchanges are not recorded, because there were too many. */
  get isFull(): boolean {
    return this.rows.characters + this.#faultCharacters > (this.#options.maxCharacters ?? MAX_CHARACTERS);
  }

  /** Records an exchange, unless it belongs to no operation: a mock could not replay that. */
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

  /** Returns the data for a mock, without the keys, and with stand-ins for personal values unless they are kept. */
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
