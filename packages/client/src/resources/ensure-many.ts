import { rejectOnAbort } from '@confab/internal';
import type { Lead, LeadCreate } from '../contract/types/index.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  InvalidRequestError,
  PermissionError,
} from '../errors/index.ts';
import type { Checks } from '../options/check-values.ts';
import { checkOptions, hasMethods, isFunction, must, wholeFrom } from '../options/check-values.ts';
import type { CallOptions } from '../options/client-options.ts';
import { ignoreErrors } from '../options/create-reporter.ts';
import { CALL_OPTIONS } from '../options/option-checks.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { leavable } from '../pagination/leavable.ts';
import { showAs } from '../runtime/node.ts';
import { turn } from '../time/turn.ts';
import type { EnsuredLead } from './ensure-lead.ts';
import { readPhone } from './phone.ts';

/** What happened to one row of an import. */
export type EnsureOutcome = {
  /** Position of the row, from 0. */
  readonly index: number;
  /** The row as it was given. */
  readonly input: LeadCreate;
} & (
  | {
      /**
       * `created`: this import created the lead. `existing`: the lead existed before, or an earlier row has the same
       * phone. `unknown`: a response was lost, so it is unknown whether this import created the lead.
       */
      readonly status: 'created' | 'existing' | 'unknown';
      /** The lead that has the phone. */
      readonly lead: Lead;
      /** Only failed rows have an error. */
      readonly error?: undefined;
    }
  | {
      /** `failed`: the row has no lead, or it is unknown which one. */
      readonly status: 'failed';
      /** Failed rows have no lead. */
      readonly lead?: undefined;
      /** Why the row failed; usually a {@link ConfabError}. */
      readonly error: unknown;
    }
);

/** The number of rows of an import that are done. */
export interface EnsureProgress {
  /** All rows that are done, failed ones included. They are the first rows, so an import resumes after them. */
  readonly done: number;
  /** Rows whose lead this import created. */
  readonly created: number;
  /** Rows whose lead existed before, or that have the same phone as an earlier row. */
  readonly existing: number;
  /** Rows that have a lead, but it is unknown whether this import created it. */
  readonly unknown: number;
  /** Rows that failed. */
  readonly failed: number;
}

/** What an awaited import resolves with. */
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
   * Called after each row, in order, and once more if the import ends after 20 failures, whose rows are then no longer
   * counted. Return values and exceptions are ignored.
   */
  onProgress?: ((progress: EnsureProgress) => void) | undefined;
  /** Aborts the import, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * An import, which starts when you iterate over it or await it. Iterating yields one {@link EnsureOutcome} per row, in the
 * order of the rows. Awaiting it imports the rows that are left and resolves with a summary of all; after a loop that failed,
 * it rejects with the same error, and after one that you left, it resolves with a summary of the rows that are done. Like a
 * generator, it can be used once.
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
export interface EnsureMany extends AsyncIterable<EnsureOutcome>, PromiseLike<EnsureSummary> {
  /** The rows that are done so far. After an abort or an error, the others are not done: to resume, skip `done` rows. */
  readonly progress: EnsureProgress;
  /** Imports the rows that are left as `await` does, and calls the function if the import fails. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<EnsureSummary | Rejected>;
  /** Imports the rows that are left as `await` does, and calls the function when the import succeeds or fails. */
  finally(onFinally?: (() => void) | null): Promise<EnsureSummary>;
}

type Rows = Iterable<LeadCreate> | AsyncIterable<LeadCreate>;

/** A row under way, or one that is done and waits for an earlier row. */
interface Row {
  /** Rows of the same text have the same phone. */
  phone?: string;
  outcome?: EnsureOutcome;
  /** Why the import ends at this row. */
  fatal?: { readonly error: unknown };
  /** Resolves once there is either. */
  finished?: Promise<void>;
}

const OPTIONS: Checks<EnsureManyOptions> = {
  concurrency: wholeFrom(1),
  onProgress: isFunction,
  signal: CALL_OPTIONS.signal,
};

const checkRows = must(
  // Iterating over a string would import its characters.
  (rows) =>
    typeof rows === 'object' && (hasMethods(rows, Symbol.asyncIterator) || hasMethods(rows, Symbol.iterator)),
  'an array, an iterable or an async iterable',
);

/** Milliseconds: an import waits for a rate limit that a single call would not wait for. */
const LONGEST_RETRY_AFTER = 86_400_000;

/** Number of rows that fail without a success in between before the service, rather than the rows, is at fault. */
const MOST_FAILURES = 20;

/** Rows that fail before they are sent would otherwise hold up timers and signals until the last one. */
const ROWS_PER_TURN = 50;

/** Returns the same text only for rows that certainly have the same phone. */
const phoneOf = (row: LeadCreate | null | undefined): string => {
  // A row may be anything; `ensure` says what is wrong with it.
  const written = String(row?.phone);
  const phone = readPhone(written);
  return phone?.certain ? `+${phone.digits} ${phone.extension}` : written.trim();
};

/** Every later row would fail in the same way. */
const concernsAllRows = (error: unknown): boolean =>
  error instanceof AuthenticationError ||
  error instanceof PermissionError ||
  error instanceof ConfigurationError;

/** Another row may succeed. */
const concernsOneRow = (error: unknown): boolean =>
  error instanceof InvalidRequestError || error instanceof BadRequestError || error instanceof ConflictError;

export const createEnsureMany =
  (
    ensure: (row: LeadCreate, options: CallOptions) => Promise<EnsuredLead>,
    { callDefaults, concurrency: byDefault }: ResolvedClientOptions,
  ) =>
  (rows: Rows, options: EnsureManyOptions = {}): EnsureMany => {
    checkOptions('option of leads.ensureMany', options, OPTIONS);
    const { concurrency = byDefault, onProgress, signal } = options;
    checkRows('rows', rows);
    let progress: EnsureProgress = { done: 0, created: 0, existing: 0, unknown: 0, failed: 0 };
    /** In the order of the source. */
    const queue: Row[] = [];
    const report = () => ignoreErrors(() => onProgress?.(progress));

    const importRow = async (row: Row, input: LeadCreate, ended: AbortSignal): Promise<void> => {
      const index = progress.done + queue.length;
      try {
        row.phone = phoneOf(input);
        const earlier = queue.findLast(({ phone }) => phone === row.phone);
        await earlier?.finished;
        const known = earlier?.outcome?.lead;
        const { lead, created } = known
          ? { lead: known, created: false }
          : await ensure(input, {
              signal: ended,
              deadline: false,
              retry: callDefaults.retry && { maxRetryAfter: LONGEST_RETRY_AFTER },
            });
        const status = created ? 'created' : created === false ? 'existing' : 'unknown';
        row.outcome = { index, input, status, lead };
      } catch (error) {
        if (concernsAllRows(error)) {
          row.fatal = { error };
        } else {
          row.outcome = { index, input, status: 'failed', error };
        }
      }
    };

    const run = async function* (ended: AbortSignal): AsyncGenerator<EnsureOutcome, void> {
      const source = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
      let reading: Promise<void> | undefined;
      let exhausted = false;
      let failures = 0;
      let beforeFailures = progress;

      const readRow = async (): Promise<void> => {
        const row: Row = {};
        try {
          const { done, value } = await source.next();
          if (done) {
            exhausted = true;
          } else {
            try {
              // A row may be a promise, as in any `for await` loop.
              row.finished = importRow(row, await value, ended);
            } catch (error) {
              const index = progress.done + queue.length;
              row.outcome = { index, input: value, status: 'failed', error };
            }
            queue.push(row);
          }
        } catch (error) {
          exhausted = true;
          // The rows before it are done first.
          queue.push({ fatal: { error } });
        }
        reading = undefined;
      };

      try {
        for (;;) {
          ended.throwIfAborted();
          if (!exhausted && queue.length < concurrency) {
            reading ??= readRow();
          }
          const [row] = queue;
          if (row?.fatal) {
            throw row.fatal.error;
          }
          if (row?.outcome) {
            const { outcome } = row;
            const { status, error } = outcome;
            queue.shift();
            const before = progress;
            progress = { ...progress, done: progress.done + 1, [status]: progress[status] + 1 };
            report();
            yield outcome;
            if (progress.done % ROWS_PER_TURN === 0) {
              await turn();
            }
            if (status !== 'failed') {
              failures = 0;
            } else if (!concernsOneRow(error)) {
              failures += 1;
              beforeFailures = failures === 1 ? before : beforeFailures;
              if (failures === MOST_FAILURES) {
                // A resumed import repeats these rows.
                progress = beforeFailures;
                report();
                throw error;
              }
            }
          } else if (row || reading) {
            // A slow source does not hold back a row that is done.
            await rejectOnAbort(Promise.race([row?.finished ?? reading, reading ?? row?.finished]), ended);
          } else {
            return;
          }
        }
      } finally {
        if (!exhausted) {
          const closed = ignoreErrors(() => source.return?.());
          // A generator that is about to yield a row closes only after that, and other sources may never do so. They get
          // two turns: the first ends once the source has begun to close.
          await (reading ? undefined : Promise.race([closed, turn().then(turn)]));
        }
      }
    };

    let failure: { readonly error: unknown } | undefined;
    const iterator = leavable(run, signal);
    const outcomes: typeof iterator = {
      ...iterator,
      async next() {
        try {
          return await iterator.next();
        } catch (error) {
          failure = { error };
          throw error;
        }
      },
    };
    let summary: Promise<EnsureSummary> | undefined;
    const importAll = async (): Promise<EnsureSummary> => {
      for await (const _ of outcomes) {
        // `progress` counts it.
      }
      if (failure) {
        throw failure.error;
      }
      return progress;
    };

    const summarize = () => {
      summary ??= importAll();
      return summary;
    };

    const many: EnsureMany = {
      get progress() {
        return progress;
      },
      [Symbol.asyncIterator]: () => outcomes,
      // biome-ignore lint/suspicious/noThenProperty: awaiting an import returns its summary.
      then: (onFulfilled, onRejected) => summarize().then(onFulfilled, onRejected),
      catch: (onRejected) => summarize().catch(onRejected),
      finally: (onFinally) => summarize().finally(onFinally),
    };
    showAs(many, 'EnsureMany', () => progress);
    return many;
  };
