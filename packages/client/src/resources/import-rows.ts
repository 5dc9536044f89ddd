import type { Lead, LeadCreate, LeadUpdate } from '../contract/types.ts';
import {
  BadRequestError,
  ConflictError,
  ImportStoppedError,
  InvalidRequestError,
  RateLimitError,
} from '../errors/index.ts';
import { ignoreErrors } from '../hooks/reporter.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallDefaults } from '../options/resolve-options.ts';
import { bulkOptions, endsBulkWork } from './bulk.ts';
import type { EnsuredLead, EnsureOptions } from './ensure-lead.ts';
import { mapInOrder } from './map-in-order.ts';
import { phoneInE164 } from './phone.ts';

/** The lead of one row. */
interface EnsuredRow {
  readonly lead: Lead;
  readonly status: EnsuredLead['status'] | 'updated';
}

/** The outcome of one row of an import. */
export type EnsureOutcome = {
  /** The position of the row, from 0. */
  readonly index: number;
  /** The row as it was given. */
  readonly input: LeadCreate;
} & (
  | {
      /**
       * `created`: this import created the lead. `existing`: the lead existed before, or an earlier row has the same
       * phone number. `updated`: as `existing`, but fields of the row were written to the lead. `unknown`: a response
       * was lost, so this import may or may not have created the lead.
       */
      readonly status: EnsuredLead['status'] | 'updated';
      /** The lead with the row's phone number. */
      readonly lead: Lead;
      /** Only failed rows have an error. */
      readonly error?: undefined;
    }
  | {
      /** `failed`: the row has no lead, or its lead could not be updated. */
      readonly status: 'failed';
      /** Outcomes of failed rows have no lead. */
      readonly lead?: undefined;
      /** Why the row failed; usually a {@link ConfabError}. */
      readonly error: unknown;
    }
);

/** The number of rows of an import that are done. */
export interface EnsureProgress {
  /**
   * All rows that are done, including failed ones. They are always the first rows, so an import can resume after them.
   */
  readonly done: number;
  /** Rows whose lead this import created. */
  readonly created: number;
  /**
   * Rows whose lead existed before, or that have the same phone number as an earlier row. The lead was left as it is.
   */
  readonly existing: number;
  /** As `existing`, but fields of the row were written to the lead; only with `onExisting: 'update'`. */
  readonly updated: number;
  /** Rows whose lead this import may or may not have created. */
  readonly unknown: number;
  /** Rows that failed. */
  readonly failed: number;
}

/**
 * After this many failed rows without a success in between, the service, rather than the rows, is probably at fault.
 */
const MAX_FAILURES = 20;

/** The errors of a row after which another row may succeed. */
const ERRORS_OF_ONE_ROW = [InvalidRequestError, BadRequestError, ConflictError];

const stopError = (why: string, done: number, cause: unknown): ImportStoppedError =>
  new ImportStoppedError(`The import stopped ${why}. To resume it, skip ${done} rows. ${cause}`, { cause });

export interface RowImportOptions {
  readonly rows: Iterable<LeadCreate> | AsyncIterable<LeadCreate>;
  readonly ensure: (row: LeadCreate, options: EnsureOptions) => Promise<EnsuredLead>;
  readonly update: (id: string, changes: LeadUpdate, options: CallOptions) => Promise<Lead>;
  readonly callDefaults: CallDefaults;
  /** Maximum number of rows in progress. */
  readonly concurrency: number;
  readonly normalizePhone?: EnsureOptions['normalizePhone'];
  /** What to do with a lead that exists. */
  readonly onExisting: 'keep' | 'update';
  readonly onProgress?: ((progress: EnsureProgress) => void) | undefined;
}

/** Returns the fields of a row that differ from its lead. Notes always count, because no response contains them. */
const changesFor = (lead: Lead, { displayName, email, notes }: LeadCreate): LeadUpdate | undefined => {
  const fields = { displayName, email, notes };
  const changes = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && value !== (Reflect.get(lead, name) ?? null),
  );
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
};

/** Creates the function that imports one row. Rows with the same phone wait for each other. */
const createImportRow = (
  { ensure, update, callDefaults, normalizePhone, onExisting }: RowImportOptions,
  lastRows: Map<string, Promise<EnsuredRow>>,
  ended: AbortSignal,
) => {
  const options = bulkOptions(callDefaults, ended);

  const ensureRow = async (row: LeadCreate, earlier: Promise<EnsuredRow> | undefined) => {
    const done = await earlier?.catch(() => undefined);
    const ensured: EnsuredRow =
      done === undefined
        ? await ensure(row, { ...options, normalizePhone })
        : { lead: done.lead, status: 'existing' };
    const { lead, status } = ensured;
    const changes = onExisting === 'update' && status !== 'created' ? changesFor(lead, row) : undefined;
    return changes === undefined
      ? ensured
      : { lead: await update(lead.id, changes, options), status: 'updated' as const };
  };

  return async (row: LeadCreate, index: number) => {
    let input = row;
    let phone = '';
    let ensured: Promise<EnsuredRow> | undefined;
    try {
      // A row may be a promise, as in any `for await` loop.
      input = await row;
      phone = phoneInE164(input, normalizePhone) ?? String(input?.phone).trim();
      ensured = ensureRow(input, lastRows.get(phone));
      lastRows.set(phone, ensured);
      const { lead, status } = await ensured;
      return { phone, ensured, outcome: { index, input, status, lead } };
    } catch (error) {
      if (callDefaults.retry && error instanceof RateLimitError) {
        throw stopError('because the API refuses its requests', index, error);
      }
      if (endsBulkWork(error)) {
        throw error;
      }
      return { phone, ensured, outcome: { index, input, status: 'failed', error } as const };
    }
  };
};

/** An import that runs once, several rows at a time, in constant memory. */
export class RowImport {
  /** The rows that are done so far. */
  progress: EnsureProgress = { done: 0, created: 0, existing: 0, updated: 0, unknown: 0, failed: 0 };
  readonly #options: RowImportOptions;
  #failures = 0;
  #beforeFailures = this.progress;

  constructor(options: RowImportOptions) {
    this.#options = options;
  }

  /** Yields one outcome per row, in the order of the rows, until the signal is aborted. */
  async *run(ended: AbortSignal): AsyncGenerator<EnsureOutcome, void> {
    const { rows, concurrency } = this.#options;
    /** By phone number, the last row in progress that has it. */
    const lastRows = new Map<string, Promise<EnsuredRow>>();
    const importRow = createImportRow(this.#options, lastRows, ended);
    for await (const { phone, ensured, outcome } of mapInOrder(rows, importRow, concurrency, ended)) {
      if (lastRows.get(phone) === ensured) {
        lastRows.delete(phone);
      }
      this.#count(outcome);
      yield outcome;
      if (this.#failures === MAX_FAILURES) {
        // The failed rows count as not done, so that a resumed import includes them.
        this.#report(this.#beforeFailures);
        const why = `after ${MAX_FAILURES} failures without a success`;
        throw stopError(why, this.progress.done, outcome.error);
      }
    }
  }

  #count({ status, error }: EnsureOutcome): void {
    if (status !== 'failed') {
      this.#failures = 0;
    } else if (!ERRORS_OF_ONE_ROW.some((each) => error instanceof each)) {
      this.#beforeFailures = this.#failures === 0 ? this.progress : this.#beforeFailures;
      this.#failures += 1;
    }
    const { progress } = this;
    this.#report({ ...progress, done: progress.done + 1, [status]: progress[status] + 1 });
  }

  #report(progress: EnsureProgress): void {
    this.progress = progress;
    ignoreErrors(() => this.#options.onProgress?.(progress));
  }
}
