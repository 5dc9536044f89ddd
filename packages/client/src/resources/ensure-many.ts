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
   * Maximum number of rows in progress, including finished rows that are waiting for an earlier one.
   *
   * @default the `concurrency` of the client
   */
  concurrency?: number | undefined;
  /**
   * As for {@link Leads.ensure}. A row whose phone it cannot read fails.
   *
   * @default reads phones with `+` or `00` and a country code; the service reads the others
   */
  normalizePhone?: EnsureOptions['normalizePhone'];
  /**
   * What to do with a lead that exists. `'keep'` leaves it as it is. `'update'` writes the row's `displayName`, `email` and
   * `notes` to it, as far as the row has them and they differ; `notes` are always written, because they cannot be read.
   *
   * @default 'keep'
   */
  onExisting?: 'keep' | 'update' | undefined;
  /**
   * Called after each row, in order, and once more if the import ends after 20 failures, whose rows are then no longer
   * counted. Return values and exceptions are ignored.
   */
  onProgress?: ((progress: EnsureProgress) => void) | undefined;
  /** Aborts the import, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * An import, which starts when you iterate over it or await it. Iterating yields one {@link EnsureOutcome} per row, in
 * the order of the rows. Awaiting it imports the rows that are left and resolves with a summary of all; after a loop that
 * failed, it rejects with the same error, and after one that you left, it resolves with a summary of the rows that are
 * done. Like a generator, it can be iterated over once: a second loop throws a {@link ConfigurationError}.
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
  /** The rows that are done so far. After an abort or an error, the others are not done: to resume, skip `done` rows. */
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

  /** Every promise has one: without it, TypeScript takes an import for no promise. */
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
      // `progress` counts it.
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
