import type { ApiPromise } from '../call/api-promise.ts';
import type { CallById, Caller } from '../call/call.ts';
import { hintFor } from '../contract/issues.ts';
import { LeadStatusSchema } from '../contract/lead.ts';
import type { Lead, LeadCreate, LeadListQuery, LeadUpdate } from '../contract/types.ts';
import type { ListById, ListOptions, Paginated } from '../lists/paginated.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { bulkInput } from './bulk.ts';
import type { EnsuredLead, EnsureOptions } from './ensure-lead.ts';
import { createEnsureLead } from './ensure-lead.ts';
import type { EnsureMany, EnsureManyOptions } from './ensure-many.ts';
import { createEnsureMany } from './ensure-many.ts';

/** Leads: contacts or prospects. */
export interface Leads {
  /**
   * Lists leads. The list is paged. Iteration with an `offset` reads the list as if it began there.
   *
   * @throws A {@link ConfabError} when the query is invalid or a page cannot be read.
   * @example
   * ```ts
   * for await (const lead of confab.leads.list({ status: 'new' })) await greet(lead);
   * ```
   */
  list(query?: LeadListQuery, options?: ListOptions): Paginated<Lead>;
  /**
   * Creates a lead. The call is not idempotent: after an unknown outcome it is not retried unless
   * `retry.nonIdempotent` is set. {@link Leads.ensure} is safe to retry.
   *
   * @throws A {@link ConflictError} when a lead with this phone number exists.
   * @throws A {@link ConfabError} when the call fails. If its `mayHaveActed` is true, the lead may have been created:
   * {@link Leads.ensure} finds it.
   * @example
   * ```ts
   * const lead = await confab.leads.create({ phone: '+5511987654321', displayName: 'Ana' });
   * ```
   */
  create(body: LeadCreate, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Reads a lead.
   *
   * @throws A {@link NotFoundError} when no lead has this id.
   * @example
   * ```ts
   * const { status } = await confab.leads.get(id);
   * ```
   */
  get(id: string, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Changes the given fields of a lead. The call is idempotent, so the client retries it after an unknown outcome.
   *
   * @throws A {@link NotFoundError} when no lead has this id.
   * @example
   * ```ts
   * await confab.leads.update(id, { status: 'qualified' });
   * ```
   */
  update(id: string, body: LeadUpdate, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Creates a lead, or finds the one that has the phone number. The client retries the POST after an unknown outcome,
   * which is safe: if an earlier attempt created the lead, the retry finds it.
   *
   * An existing lead is returned unchanged: the other fields of `body` are not written to it.
   *
   * A phone number with `+` or `00` and a country code is converted to E.164: `+44 (0)20 7946-0958 ext. 4` is sent as
   * `+442079460958`. A number in any other format (`020 7946 0958`, `442079460958`) can be used to create a lead but
   * not to find one, because only the service knows how to read it. Pass `normalizePhone` to read such numbers
   * yourself.
   *
   * The search of the API may not find a lead that was created a moment ago, so the client searches up to `retry.limit`
   * more times.
   *
   * @returns The lead, and its `status`: `created` if this call created the lead, `existing` if the lead existed
   * before, and `unknown` if the response to an earlier attempt was lost, because that attempt may have created the
   * lead.
   * @throws A {@link ConflictError} when the lead exists but the client cannot tell with certainty which one it is. The
   * client never returns a lead that only looks similar.
   * @example
   * ```ts
   * const { lead, status } = await confab.leads.ensure({ phone: '+5511987654321' });
   * ```
   */
  ensure(body: LeadCreate, options?: EnsureOptions): ApiPromise<EnsuredLead>;
  /**
   * Ensures a lead for each row of an import. A lead that exists is left as it is, unless `onExisting` is `'update'`.
   * Nothing is sent until you iterate over the result or await it. Rows are read only when they are needed, so memory
   * does not grow with their number.
   *
   * A row that fails does not end the import: its outcome contains the error. Rows with the same phone number share one
   * lead, which the first of them creates. The import has no total timeout: it waits as long as `Retry-After` says, for
   * up to a day.
   *
   * The import ends with an error when every later row would fail too:
   *
   * - with the row's own error after a 401, a 403 or a {@link ConfigurationError};
   * - with an {@link ImportStoppedError} when 20 rows without a success in between fail for reasons other than their
   *   content, or when the API refuses all requests, without a `Retry-After`, for the client's total timeout.
   *
   * If the source throws, the import finishes the rows before that and ends with the same error. An import that ends
   * early closes the source and aborts the rows in progress. Their leads may have been created; importing those rows
   * again is safe.
   *
   * @param rows An array, an iterable or an async iterable, such as a stream of a CSV file.
   * @returns An async iterable of one {@link EnsureOutcome} per row, in order. Awaited, it resolves with a summary.
   * @throws A {@link ConfigurationError} when `rows` is not iterable, or an option is unknown or invalid.
   * @example
   * ```ts
   * for await (const { index, status, error } of confab.leads.ensureMany(rows)) {
   *   if (status === 'failed') console.error(`Row ${index + 1}:`, error);
   * }
   *
   * const { created, existing, failed } = await confab.leads.ensureMany(rows);
   * ```
   */
  ensureMany(rows: Iterable<LeadCreate> | AsyncIterable<LeadCreate>, options?: EnsureManyOptions): EnsureMany;
}

/** @internal */
export const createLeads = (
  settings: ClientSettings,
  caller: Caller,
  callById: CallById,
  list: ListById,
): Leads => {
  const ensure = createEnsureLead(settings, caller);
  const bulk = bulkInput(settings.callDefaults);
  return {
    list(query, options) {
      const status: unknown = Object(query).status;
      const statuses: readonly unknown[] = LeadStatusSchema.options;
      if (typeof status === 'string' && !statuses.includes(status)) {
        // The API accepts any status here, so a typo would find nothing. The value itself stays out of logs.
        const hint = hintFor([status], LeadStatusSchema.options);
        settings.reporter.log('warn', `the \`status\` of leads.list has an unknown value. ${hint}`);
      }
      return list('leads.list', query, options);
    },
    create: (body, options) => callById('leads.create', { body }, options),
    get: (id, options) => callById('leads.get', { params: { id } }, options),
    update: (id, body, options) => callById('leads.update', { params: { id }, body }, options),
    ensure: (body, options) => ensure({ body, isBulk: false }, options),
    ensureMany: createEnsureMany(settings, {
      ensure: (body, options) => ensure({ body, ...bulk }, options),
      update: (id, body, options) => callById('leads.update', { params: { id }, body, ...bulk }, options),
    }),
  };
};
