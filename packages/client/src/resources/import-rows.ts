import { isObject, rejectOnAbort, typeName } from '@confab/internal';
import type { Lead, LeadCreate } from '../contract/types.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ImportStoppedError,
  InvalidRequestError,
  PermissionError,
} from '../errors/index.ts';
import { isForFramework } from '../errors/safe-cause.ts';
import type { CallOptions } from '../options/client-options.ts';
import { ignoreErrors } from '../options/reporter.ts';
import type { RetryPolicy } from '../options/resolve-options.ts';
import { turn } from '../time/clock.ts';
import type { EnsuredLead } from './ensure-lead.ts';
import { digitsOf } from './phone.ts';

/** The outcome of one row of an import. */
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
      /** `failed`: no lead was created or found for the row. */
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

/** A row under way, or one that is done and waits for an earlier row. */
interface Row {
  /** Rows of the same text have the same phone. */
  phone?: string;
  outcome?: EnsureOutcome;
  /** Why the import ends at this row. */
  fatal?: { readonly error: unknown };
  /** Resolves once the row has an outcome or has ended the import. */
  finished?: Promise<void>;
}

/** Milliseconds: an import waits for a rate limit that a single call would not wait for. */
const MAX_RETRY_AFTER = 86_400_000;

/** Number of rows that fail without a success in between before the service, rather than the rows, is at fault. */
const MAX_FAILURES = 20;

/** A source that has all its rows at hand, or rows that are never sent, would otherwise hold up timers and signals. */
const ROWS_PER_TURN = 50;

/** Returns the same text only for rows that certainly have the same phone. */
const phoneOf = (row: LeadCreate | null | undefined): string => {
  // A row may be anything; `ensure` says what is wrong with it.
  const phone = String(row?.phone);
  const digits = digitsOf(phone);
  return digits === undefined ? phone.trim() : `+${digits}`;
};

type ErrorClass = abstract new (...args: never) => Error;

const isOneOf = (error: unknown, ...classes: readonly ErrorClass[]): boolean =>
  classes.some((each) => error instanceof each);

/** Every later row would fail in the same way. */
const concernsAllRows = (error: unknown): boolean =>
  isForFramework(error) || isOneOf(error, AuthenticationError, PermissionError, ConfigurationError);

/** Another row may succeed. */
const concernsOneRow = (error: unknown): boolean =>
  isOneOf(error, InvalidRequestError, BadRequestError, ConflictError);

export interface RowImportOptions {
  readonly rows: Iterable<LeadCreate> | AsyncIterable<LeadCreate>;
  readonly ensure: (row: LeadCreate, options: CallOptions) => Promise<EnsuredLead>;
  /** The client's policy. */
  readonly retry: RetryPolicy | false;
  /** Maximum number of rows in progress. */
  readonly concurrency: number;
  readonly onProgress: ((progress: EnsureProgress) => void) | undefined;
}

/** An import that runs once. */
export interface RowImport {
  /** The rows that are done so far. */
  progress(): EnsureProgress;
  /** Yields one outcome per row, in the order of the rows, until the signal is aborted. */
  run(ended: AbortSignal): AsyncGenerator<EnsureOutcome, void>;
}

/** Imports rows, several at a time, in constant memory. */
export const createRowImport = ({
  rows,
  ensure,
  retry,
  concurrency,
  onProgress,
}: RowImportOptions): RowImport => {
  let progress: EnsureProgress = { done: 0, created: 0, existing: 0, unknown: 0, failed: 0 };
  /** In the order of the source. */
  const queue: Row[] = [];
  /** The last row of the queue that has a phone, by phone. */
  const lastRows = new Map<string | undefined, Row>();
  const report = () => ignoreErrors(() => onProgress?.(progress));

  const importRow = async (row: Row, input: LeadCreate, ended: AbortSignal): Promise<void> => {
    const index = progress.done + queue.length;
    try {
      const phone = phoneOf(input);
      const earlier = lastRows.get(phone);
      row.phone = phone;
      lastRows.set(phone, row);
      await earlier?.finished;
      const known = earlier?.outcome?.lead;
      const { lead, status }: EnsuredLead = known
        ? { lead: known, status: 'existing' }
        : await ensure(input, {
            signal: ended,
            totalTimeout: false,
            retry: retry && { maxRetryAfter: MAX_RETRY_AFTER },
          });
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
        const result = await source.next();
        if (!isObject(result)) {
          // It has no `done`, so the import would never end.
          throw new ConfigurationError(
            `\`next()\` of \`rows\` must return { done, value }, got ${typeName(result)}.`,
          );
        }
        const { done, value } = result;
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
          if ((progress.done + queue.length) % ROWS_PER_TURN === 0) {
            await turn();
          }
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
          const { outcome, phone } = row;
          const { status, error } = outcome;
          queue.shift();
          if (lastRows.get(phone) === row) {
            lastRows.delete(phone);
          }
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
            if (failures === MAX_FAILURES) {
              // A resumed import repeats these rows.
              progress = beforeFailures;
              report();
              throw new ImportStoppedError(
                `The import stopped after ${MAX_FAILURES} failures without a success. To resume it, skip ${progress.done} rows. ${error}`,
                {},
                error,
              );
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

  return { progress: () => progress, run };
};
