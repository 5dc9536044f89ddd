import type { OperationId } from '@confab/client/contract';
import { createRedact } from '@confab/internal';
import { textOf } from '../../request/incoming-request.ts';
import { readJson } from '../../request/json.ts';
import type { FaultPlan } from '../../world/faults/fault.ts';
import type { MockData } from '../../world/store/store.ts';
import type { ForwardedRequest, Outcome } from './ask-service.ts';
import type { RecordedFault } from './recorded-fault.ts';
import { toRecordedFault } from './recorded-fault.ts';
import { RecordedRows } from './recorded-rows.ts';
import { createCleaner } from './stand-ins.ts';

/** What a file of rows and faults holds. */
export interface RecordedData extends MockData {
  readonly faults: readonly FaultPlan[];
}

/** As many characters as fit well into memory, and into a file. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

const propertyOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

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
  readonly #faults: { operation: OperationId; skip: number; fault: RecordedFault }[] = [];
  #faultCharacters = 0;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Whether later exchanges are not recorded, because there were too many. */
  get isFull(): boolean {
    return this.rows.characters + this.#faultCharacters > (this.#options.maxCharacters ?? MAX_CHARACTERS);
  }

  /** Records an exchange. One that belongs to no operation has nothing that a mock could repeat. */
  add({ route, index, method, body }: Omit<ForwardedRequest, 'path' | 'query'>, outcome: Outcome): void {
    if (this.isFull || route === undefined || method === 'HEAD') {
      return;
    }
    const { id } = route;
    const fault = toRecordedFault(route.operation, outcome);
    const text = outcome.kind === 'reply' ? textOf(outcome.bytes) : '';
    const data = propertyOf(readJson(text).value, 'data');
    if (data !== undefined && data !== null) {
      if (id === 'leads.create' && propertyOf(readJson(body).value, 'pipelineId') === undefined) {
        this.rows.noteFirstPipeline(data);
      }
      this.rows.add(id, data, fault === undefined);
    }
    if (fault !== undefined) {
      this.#faults.push({ operation: id, skip: index, fault });
      this.#faultCharacters += text.length + 200;
    }
  }

  /** The recording, without the keys, and without personal values unless they are kept. */
  data(keys: Iterable<string>): RecordedData {
    const { keepPersonalData } = this.#options;
    const cleaner = createCleaner({ redact: createRedact([...keys]), keepPersonalData });
    return {
      ...this.rows.loadable(cleaner),
      faults: this.#faults.map(({ operation, skip, fault }) => ({
        operation,
        fault: { ...fault(cleaner), ...(skip > 0 && { skip }) },
      })),
    };
  }
}
