import type { Checks } from '@confab/internal';
import { checkThat, hasMethods, integerFrom, isFunction, oneOf } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { ListIterator } from '../lists/list-iterator.ts';
import { createListIterator } from '../lists/list-iterator.ts';
import { CALL_OPTIONS, checkOptions, throwProblem } from '../options/option-checks.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { showAs } from '../runtime/runtime.ts';
import type { EnsureOptions } from './ensure-lead.ts';
import type { EnsureOutcome, EnsureProgress, RowImportOptions } from './import-rows.ts';
import { RowImport } from './import-rows.ts';

/** The result of an awaited import. */
export type EnsureSummary = EnsureProgress;

/** Options of {@link Leads.ensureMany}. */
export interface EnsureManyOptions {
  /**
   * The maximum number of rows in progress, including finished rows that are waiting for an earlier one.
   *
   * @default the `concurrency` of the client
   */
  concurrency?: number | undefined;
  /**
   * As for {@link Leads.ensure}. If it returns undefined for the phone number of a row, that row fails.
   *
   * @default converts numbers with `+` or `00` and a country code; the service reads the others
   */
  normalizePhone?: EnsureOptions['normalizePhone'];
  /**
   * What to do with a lead that exists. `'keep'` leaves it as it is. `'update'` writes those of the row's
   * `displayName`, `email` and `notes` that differ from the lead's. `notes` are always written, because the API does
   * not return them.
   *
   * @default 'keep'
   */
  onExisting?: 'keep' | 'update' | undefined;
  /**
   * Called after each row, in order. If the import stops after 20 failures, it is called once more, with counts that
   * leave out the failed rows. Return values and exceptions are ignored.
   */
  onProgress?: ((progress: EnsureProgress) => void) | undefined;
  /** Aborts the import, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * An import, which starts when you iterate over it or await it. Iterating yields one {@link EnsureOutcome} per row, in
 * the order of the rows. Awaiting imports the remaining rows and resolves with a summary of all rows. After a loop that
 * failed, awaiting rejects with the same error; after a loop that you left early, it resolves with a summary of the
 * rows that are done. Like a generator, an import can be iterated over once: a second loop throws a {@link
 * ConfigurationError}.
 *
 * @example
 * ```ts
 * const run = confab.leads.ensureMany(rows, { signal });
 * try {
 *   const { created, failed } = await run;
 * } catch {
 *   console.error(`Resume after ${run.progress.done} rows.`);
 * }
 * ```
 */
export interface EnsureMany extends AsyncIterable<EnsureOutcome>, Promise<EnsureSummary> {
  /** Counts of the rows that are done so far. To resume after an abort or an error, skip `done` rows. */
  readonly progress: EnsureProgress;
}

const OPTIONS: Checks<EnsureManyOptions> = {
  concurrency: integerFrom(1),
  normalizePhone: isFunction,
  onExisting: oneOf('keep', 'update'),
  onProgress: isFunction,
  signal: CALL_OPTIONS.signal,
};

const checkRows = checkThat(
  // Iterating over a string would import its characters.
  (rows) =>
    typeof rows === 'object' && (hasMethods(rows, Symbol.asyncIterator) || hasMethods(rows, Symbol.iterator)),
  'an array, an iterable or an async iterable',
);

/** An import that runs once. */
class Import implements EnsureMany {
  readonly #import: RowImport;
  readonly #iterator: ListIterator<EnsureOutcome>;
  #isIterated = false;
  #summary: Promise<EnsureSummary> | undefined;

  readonly then: EnsureMany['then'] = (onFulfilled, onRejected) =>
    this.#summarize().then(onFulfilled, onRejected);
  readonly catch: EnsureMany['catch'] = (onRejected) => this.#summarize().catch(onRejected);
  readonly finally: EnsureMany['finally'] = (onFinally) => this.#summarize().finally(onFinally);

  static {
    showAs(Import.prototype, 'EnsureMany', ({ progress }) => progress);
  }

  constructor(rows: RowImport, signal: AbortSignal | undefined) {
    this.#import = rows;
    this.#iterator = createListIterator((ended) => rows.run(ended), signal);
  }

  get progress(): EnsureProgress {
    return this.#import.progress;
  }

  [Symbol.asyncIterator](): ListIterator<EnsureOutcome> {
    if (this.#isIterated) {
      throw new ConfigurationError('An import can be iterated over once. Call leads.ensureMany again.');
    }
    this.#isIterated = true;
    return this.#iterator;
  }

  /** Every promise has this property; without it, TypeScript would not accept an import as a promise. */
  get [Symbol.toStringTag](): string {
    return 'EnsureMany';
  }

  #summarize(): Promise<EnsureSummary> {
    this.#summary ??= this.#importRest();
    return this.#summary;
  }

  async #importRest(): Promise<EnsureSummary> {
    this.#isIterated = true;
    for await (const _ of this.#iterator) {
      // The iterator counts each outcome in `progress`.
    }
    return this.progress;
  }
}

/** @internal */
export const createEnsureMany =
  (
    { key, callDefaults, concurrency: inFlight }: ClientSettings,
    calls: Pick<RowImportOptions, 'ensure' | 'update'>,
  ) =>
  (rows: RowImportOptions['rows'], options: EnsureManyOptions = {}): EnsureMany => {
    checkOptions('leads.ensureMany option', options, OPTIONS, key.redact);
    throwProblem(checkRows('rows', rows), key.redact);
    const { concurrency = inFlight, onExisting = 'keep', signal, ...others } = options;
    const rowImport = new RowImport({ rows, ...calls, callDefaults, concurrency, onExisting, ...others });
    return new Import(rowImport, signal);
  };
