import type { Operation, OperationId } from '@confab/client/contract';
import { createRedact } from '@confab/internal';
import type { Fault, FaultPlan } from '../../world/faults/fault.ts';
import type { CompleteMockData } from '../../world/store/store.ts';
import { schemaOf } from '../drift.ts';
import type { ForwardedRequest, Outcome } from '../fetch-upstream.ts';
import { toFault } from './recorded-faults.ts';
import { RecordedRows } from './recorded-rows.ts';
import { createCleaner } from './stand-ins.ts';

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
