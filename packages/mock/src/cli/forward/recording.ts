import type { Operation } from '@confab/client/contract';
import { createRedact } from '@confab/internal';
import type { Fault, FaultPlan } from '../../world/faults/fault.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import type { ForwardedRequest, Outcome, ServiceReply } from './ask-service.ts';
import { LIMIT_HEADERS, schemaOf } from './drift.ts';
import { KIND_OF, RecordedRows } from './recorded-rows.ts';
import { createCleaner } from './stand-ins.ts';

/** What a file of rows and faults holds. */
export interface RecordedData extends CompleteMockData {
  readonly faults: readonly FaultPlan[];
}

/** With more digits, a number may be a phone. */
const COUNT = /^\d{1,6}$/;

/** Sent in place of a body that is no JSON object, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

const ofReply = (operation: Operation, { status, headers, bytes, json }: ServiceReply): Fault | undefined => {
  // Programs go by these headers, if there are any.
  const counts = Object.fromEntries(
    [...headers].filter(([name, value]) => LIMIT_HEADERS.includes(name) && COUNT.test(value)),
  );
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const body = bytes.length === 0 ? '' : PAGE;
    return { status, body, headers: { ...counts, 'content-type': 'text/html' } };
  }
  const isExpected = status < 300 && schemaOf(operation, status).safeParse(value).success;
  if (isExpected && KIND_OF[operation.id] !== undefined) {
    return undefined;
  }
  return { status, body: value, ...(Object.keys(counts).length > 0 && { headers: counts }) };
};

/**
 * The fault to record for an exchange; `undefined` if the mock gives the same from rows.
 *
 * @returns The fault with the body of the response, if that is a JSON object.
 */
const toRecordedFault = (operation: Operation, outcome: Outcome): Fault | undefined => {
  if (outcome.kind === 'reply') {
    return ofReply(operation, outcome);
  }
  return outcome.kind === 'lost' ? { network: 'error' } : { status: outcome.status, code: outcome.code };
};

/** As many characters as fit well into memory, and into a file. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface RecordingOptions {
  readonly keepPersonalData: boolean;
  /** @default 64 Mi */
  readonly maxCharacters?: number | undefined;
}

/**
 * What a program saw of a service, as rows and faults for a mock: the rows as they were before the program changed them, so
 * that it can run again.
 */
export class Recording {
  readonly #options: RecordingOptions;
  readonly rows = new RecordedRows();
  /** With the bodies as they were: only a complete recording tells which stand-ins their texts get. */
  readonly #faults: { readonly operation: Operation; readonly fault: Fault }[] = [];
  #faultCharacters = 0;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Whether later exchanges are not recorded, because there were too many. */
  get isFull(): boolean {
    return this.rows.characters + this.#faultCharacters > (this.#options.maxCharacters ?? MAX_CHARACTERS);
  }

  /** Records an exchange. One that belongs to no operation has nothing that a mock could repeat. */
  add({ route, index, method }: Omit<ForwardedRequest, 'path' | 'query'>, outcome: Outcome): void {
    if (this.isFull || route === undefined || method === 'HEAD') {
      return;
    }
    const { operation } = route;
    const fault = toRecordedFault(operation, outcome);
    if (outcome.kind === 'reply') {
      this.rows.add(operation, Reflect.get(Object(outcome.json.value), 'data'), fault === undefined);
    }
    if (fault !== undefined) {
      this.#faults.push({ operation, fault: index === 0 ? fault : { ...fault, skip: index } });
      this.#faultCharacters += 200 + JSON.stringify(fault).length;
    }
  }

  /** The recording, without the keys, and without personal values unless they are kept. */
  data(keys: Iterable<string>): RecordedData {
    const clean = createCleaner(createRedact([...keys]), this.#options.keepPersonalData);
    return {
      ...this.rows.loadable(clean),
      faults: this.#faults.map(({ operation, fault }) => {
        const { status = operation.status, body } = fault;
        const isJson = typeof body === 'object';
        const cleaned = isJson ? { ...fault, body: clean(body, schemaOf(operation, status)) } : fault;
        return { operation: operation.id, fault: cleaned };
      }),
    };
  }
}
