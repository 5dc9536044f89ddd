import type { Lead, LeadCreate, LeadListQuery, LeadUpdate } from '../contract/types/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { Config } from '../options/resolve-client-options.ts';
import type { Paginated } from '../pagination/paginated.ts';
import { ApiPromise } from '../transport/api-promise.ts';
import type { Requester } from '../transport/transport.ts';
import type { EnsuredLead } from './ensure-lead.ts';
import { createEnsureLead } from './ensure-lead.ts';
import type { Lister, ListOptions } from './lister.ts';

/** Leads: contacts or prospects. */
export interface Leads {
  /**
   * Lists leads, in pages.
   *
   * @example
   * ```ts
   * for await (const lead of confab.leads.list({ status: 'new' })) await greet(lead);
   * ```
   */
  list(query?: LeadListQuery, options?: ListOptions): Paginated<Lead>;
  /**
   * Creates a lead. Never repeated by itself after an unknown outcome; {@link Leads.ensure} may be.
   *
   * @throws {@link ConflictError} When there is one with this phone.
   * @example
   * ```ts
   * const lead = await confab.leads.create({ phone: '+5511987654321', displayName: 'Ana' });
   * ```
   */
  create(body: LeadCreate, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Reads a lead.
   *
   * @throws {@link NotFoundError} When there is none with this id.
   * @example
   * ```ts
   * const { status } = await confab.leads.get(id);
   * ```
   */
  get(id: string, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Changes the fields given. Repeated after a lost answer: the same fields set twice leave the same lead.
   *
   * @throws {@link NotFoundError} When there is no lead with this id.
   * @example
   * ```ts
   * await confab.leads.update(id, { status: 'qualified' });
   * ```
   */
  update(id: string, body: LeadUpdate, options?: CallOptions): ApiPromise<Lead>;
  /**
   * Creates a lead, or finds the one that has the phone. It is safe to repeat, so the client repeats it after a lost
   * response.
   *
   * An existing lead is returned as it is: the other fields of `body` are not written to it.
   *
   * Write the phone with `+` and its country code, in any spelling: `+44 (0)20 7946-0958 ext. 7` finds
   * `+442079460958`. A phone that begins with `00` or a full-width `＋` is found unless another lead's phone ends in the
   * same six digits. A phone without a country (`020 7946 0958`, `442079460958`) can be created but not found: the
   * service decides which country it is in, and the client would have to guess whose it is.
   *
   * @returns The lead, and whether this call created it: `created` is undefined when the response to an earlier
   * attempt was lost, because that attempt may have created it.
   * @throws {@link ConflictError} When the lead exists, but the client can't tell for certain which one it is. It never
   * returns a lead that only looks like it.
   * @example
   * ```ts
   * const { lead, created } = await confab.leads.ensure({ phone: '+5511987654321' });
   * ```
   */
  ensure(body: LeadCreate, options?: CallOptions): ApiPromise<EnsuredLead>;
}

export const createLeads = (config: Config, requester: Requester, list: Lister): Leads => {
  const { send } = requester;
  const ensure = createEnsureLead(config, requester, list);
  return {
    list: (query, options) => list('leads.list', query, options),
    create: (body, options) => send('leads.create', { body }, options),
    get: (id, options) => send('leads.get', { params: { id } }, options),
    update: (id, body, options) => send('leads.update', { params: { id }, body }, options),
    ensure: (body, options) => new ApiPromise(ensure(body, options)),
  };
};
