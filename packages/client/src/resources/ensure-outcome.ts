import type { Lead, LeadCreate } from '../contract/types.ts';

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
