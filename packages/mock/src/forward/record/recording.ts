import { createRedact } from '@confab/internal';
import type { FaultPlan } from '../../control/plan-fault.ts';
import { textOf } from '../../request/call.ts';
import { readJson } from '../../request/json.ts';
import type { Route } from '../../request/route.ts';
import type { MockData } from '../../world/store/store.ts';
import type { Exchange } from '../exchange.ts';
import type { Cleaner } from '../stand-ins/clean.ts';
import { createCleaner } from '../stand-ins/clean.ts';
import { PersonalValues } from '../stand-ins/personal-values.ts';
import { loadableRows } from './loadable-rows.ts';
import type { RecordedFault } from './recorded-fault.ts';
import { toFault, toRecordedFault } from './recorded-fault.ts';
import { RecordedRows } from './recorded-rows.ts';

/** What a file of rows and faults holds. */
export interface RecordedData extends MockData {
  readonly faults: readonly FaultPlan[];
}

/** As many characters as fit well into memory, and into a file. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

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
  readonly #personal = new PersonalValues();
  readonly #rows = new RecordedRows();
  readonly #faults: RecordedFault[] = [];
  #faultCharacters = 0;
  #changes = 0;
  #isFull = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Changes with every exchange. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether later exchanges are not recorded, because there were too many. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How many rows were left out, because they differ from the contract. */
  get leftOut(): RecordedRows['leftOut'] {
    return this.#rows.leftOut;
  }

  /** Records an exchange. One that belongs to no operation has nothing that a mock could repeat. */
  add({ request, outcome }: Exchange): void {
    const { route, index, method, body } = request;
    const sent = readJson(body).value;
    const reply = outcome.kind === 'reply' ? readJson(textOf(outcome.bytes)).value : undefined;
    if (this.#isFull) {
      return;
    }
    this.#changes += 1;
    this.#personal.addFrom(sent);
    this.#personal.addFrom(reply);
    if (route !== undefined && method !== 'HEAD') {
      const fault = toRecordedFault(route.operation, index, outcome);
      this.#addRows(route, { sent, reply, isRepeated: fault === undefined });
      if (fault !== undefined) {
        this.#faults.push(fault);
        this.#faultCharacters += JSON.stringify(fault.body ?? '').length + 200;
      }
    }
    this.#isFull =
      this.#rows.characters + this.#faultCharacters + this.#personal.characters >
      (this.#options.maxCharacters ?? MOST_CHARACTERS);
  }

  /** The recording, without the keys, and without personal values unless they are kept. */
  data(keys: Iterable<string>): RecordedData {
    const secrets = [...keys];
    const cleaner = createCleaner({
      personal: this.#withKeys(secrets),
      redact: createRedact(secrets),
      keepPersonalData: this.#options.keepPersonalData,
    });
    return {
      ...loadableRows(this.#rows, cleaner),
      faults: this.#faults.map((fault) => this.#plan(fault, cleaner)),
    };
  }

  #plan(recorded: RecordedFault, cleaner: Cleaner): FaultPlan {
    return { operation: recorded.operation.id, fault: toFault(recorded, cleaner) };
  }

  /** Keys that are too short to be redacted within texts are at least no words that are kept. */
  #withKeys(keys: readonly string[]): PersonalValues {
    for (const key of keys) {
      this.#personal.add(key);
    }
    return this.#personal;
  }

  #addRows(
    { id }: Route,
    {
      sent,
      reply,
      isRepeated,
    }: { readonly sent: unknown; readonly reply: unknown; readonly isRepeated: boolean },
  ): void {
    const data = fieldOf(reply, 'data');
    if (data === undefined || data === null) {
      return;
    }
    if (id === 'leads.create' && fieldOf(sent, 'pipelineId') === undefined) {
      this.#rows.noteFirstPipeline(data);
    }
    this.#rows.add(id, data, isRepeated);
  }
}
