import { randomInt, randomUUID } from 'node:crypto';
import type { Operation, OperationId } from '@confab/client/contract';
import { ErrorEnvelopeSchema, LeadSchema, operations } from '@confab/client/contract';
import type * as z from 'zod/mini';
import type { BaseUrl } from '../../request/call.ts';
import { textOf } from '../../request/call.ts';
import { readQuery } from '../../request/input.ts';
import { readJson } from '../../request/json.ts';
import type { Clock } from '../../world/clock/clock.ts';
import type { Exchange, Outcome } from '../forward/ask-service.ts';
import { askService } from '../forward/ask-service.ts';

/** A cap that is assumed until the service names its own. */
const ASSUMED_LIMIT = 600;

/** The probe takes at most this part of the rate limit. */
const SHARE = 0.1;

const MINUTE = 60_000;

/** Attempts of one request that meets 429s. */
const MAX_ATTEMPTS = 5;

/** A longer `Retry-After` is not waited for. */
const MAX_WAIT = 10 * MINUTE;

/** The name and the source of leads that the probe creates. */
export const PROBE = 'confab-probe';

/** Codes, sources and scopes. */
const PLAIN_WORD = /^[a-z][\w.:-]{0,63}$/i;

const OTHER_CHARACTERS = /[^\p{L}\d]+/u;

/** A text with as many digits may contain a phone. */
const PHONE_DIGITS = 7;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining'] as const;

/** What a request contains. Its values may break the contract, because that is what some questions are about. */
export interface ProbeInput {
  readonly id?: string | undefined;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the key is sent.
   * @default true
   */
  readonly withKey?: boolean | undefined;
}

/** A response of the service, as far as questions need it. */
export interface Reply<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly withKey: boolean;
  /** `undefined` if there was no response. */
  readonly status: number | undefined;
  /** Why there was no response. */
  readonly failure: string | undefined;
  /** The body of a success that matches the contract. */
  readonly body: z.output<(typeof operations)[Id]['response']> | undefined;
  /** The code of an error. */
  readonly code: string | undefined;
  /** The scope that a 403 names. */
  readonly scope: string | undefined;
  /** The cap of the key and the requests left, if the response has both headers. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number } | undefined;
  /** Whether the response has any of the rate-limit headers. */
  readonly hasRateHeader: boolean;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

interface ServiceOptions {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly maxRequests: number;
  /** Requests per minute of the key; 600 by default, until the service names another number. */
  readonly limit?: number | undefined;
  /** Called before each request, and before each wait after a 429. */
  readonly onProgress: (requests: number, waitMs: number) => void;
  /** Called with each request that may change something, before it is sent. */
  readonly onWrite: (request: string) => void;
  readonly onExchange: (exchange: Exchange) => void;
}

/** The service that is asked: at a tenth of its rate limit at most, and never more often than the budget allows. */
export class Service {
  /** An id that belongs to no row. */
  readonly nobody = randomUUID();
  /** Another one. */
  readonly another = randomUUID();
  readonly #options: ServiceOptions;
  /** The words of the names and emails that were seen. */
  readonly #names = new Set<string>();
  readonly #asked = new Map<string, Promise<Reply>>();
  readonly #replies: Reply[] = [];
  readonly #counts = new Map<OperationId, number>();
  readonly #created: string[] = [];
  #limit: number;
  /** Counts the phones of leads, from where another run has probably not been. */
  #phone = randomInt(800);
  #requests = 0;
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#limit = options.limit ?? ASSUMED_LIMIT;
  }

  /** Every reply so far. */
  get replies(): readonly Reply[] {
    return this.#replies;
  }

  /** The ids of the leads that were created. */
  get created(): readonly string[] {
    return this.#created;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether a text of the service is a plain word that contains neither the key nor a name of the account. */
  isHarmless(text: string): boolean {
    const word = text.toLowerCase();
    const parts = word.split(OTHER_CHARACTERS);
    return (
      PLAIN_WORD.test(text) &&
      text.replace(/\D/g, '').length < PHONE_DIGITS &&
      !text.includes(this.#options.apiKey) &&
      // A short name may be part of a longer word by chance.
      [...this.#names].every((name) => (name.length < 4 ? !parts.includes(name) : !word.includes(name)))
    );
  }

  /** Reads from the service. Questions that ask the same share one request. */
  read<Id extends OperationId>(id: Id, input: ProbeInput = {}): Promise<Reply<Id>> {
    const name = JSON.stringify([id, input]);
    const reply = this.#asked.get(name) ?? this.#ask(id, input);
    this.#asked.set(name, reply);
    return reply as Promise<Reply<Id>>;
  }

  /** Sends a request that may change something. */
  async write<Id extends OperationId>(id: Id, input: ProbeInput): Promise<Reply<Id>> {
    const { method, path } = operations[id];
    const body = input.body === undefined ? '' : ` ${JSON.stringify(input.body)}`;
    this.#options.onWrite(`${method} ${path.replace('{id}', input.id ?? '')}${body}`);
    const reply = await this.#ask(id, input);
    const lead = LeadSchema.safeParse(Reflect.get(reply.body ?? {}, 'data'));
    if (id === 'leads.create' && lead.success) {
      this.#created.push(lead.data.id);
    }
    return reply as Reply<Id>;
  }

  /** The body of a lead that is recognized as the probe's, with a phone that is reserved for fiction. */
  newLead(): { readonly phone: string; readonly displayName: string; readonly source: string } {
    this.#phone += 1;
    const [area, number] = [Math.floor(this.#phone / 100) % 8, this.#phone % 100];
    return {
      phone: `+1${202 + 101 * area}55501${String(number).padStart(2, '0')}`,
      displayName: PROBE,
      source: PROBE,
    };
  }

  async #ask(id: OperationId, input: ProbeInput): Promise<Reply> {
    let reply = await this.#send(id, input);
    for (let attempt = 1; reply.status === 429 && attempt < MAX_ATTEMPTS; attempt += 1) {
      const wait = reply.retryAfterMs;
      if (wait > MAX_WAIT) {
        break;
      }
      this.#options.onProgress(this.#requests, wait);
      await this.#options.clock.sleep(wait);
      reply = await this.#send(id, input);
    }
    this.#replies.push(reply);
    return reply;
  }

  async #send(id: OperationId, input: ProbeInput): Promise<Reply & { readonly retryAfterMs: number }> {
    const { clock, maxRequests, onProgress } = this.#options;
    const none = {
      operation: id,
      withKey: input.withKey ?? true,
      status: undefined,
      failure: undefined,
      body: undefined,
      code: undefined,
      scope: undefined,
      rateLimit: undefined,
      hasRateHeader: false,
      at: clock.now(),
      retryAfterMs: 0,
    };
    if (this.#requests >= maxRequests) {
      return { ...none, failure: `the budget of ${maxRequests} requests was used up` };
    }
    await this.#keepPace();
    this.#requests += 1;
    onProgress(this.#requests, 0);
    const outcome = await this.#exchange(id, input);
    if (outcome.kind !== 'reply') {
      const failure = outcome.kind === 'failure' ? outcome.message : 'the service cut the connection';
      return { ...none, failure };
    }
    const { status, headers } = outcome;
    const { value } = readJson(textOf(outcome.bytes));
    const operation: Operation = operations[id];
    const success = status === operation.status ? operation.response.safeParse(value) : undefined;
    const error = status >= 400 ? ErrorEnvelopeSchema.safeParse(value) : undefined;
    if (success?.success) {
      this.#addNames(Reflect.get(success.data, 'data'));
    }
    const rateLimit = rateLimitOf(headers);
    this.#limit = rateLimit?.limit ?? this.#limit;
    const { code, error: message = '' } = error?.success ? error.data : {};
    const scope = /\b(?:read|write):[a-z][a-z0-9_-]*/.exec(message)?.[0];
    return {
      ...none,
      status,
      body: success?.success ? (success.data as Reply['body']) : undefined,
      code,
      scope: status === 403 ? scope : undefined,
      rateLimit,
      hasRateHeader: RATE_HEADERS.some((name) => headers.has(name)),
      at: clock.now(),
      retryAfterMs: retryAfterOf(headers, clock.now()),
    };
  }

  /** Remembers names and emails, because a code could contain one of their words. */
  #addNames(data: unknown): void {
    for (const row of [data].flat()) {
      const lead = LeadSchema.safeParse(row);
      const { displayName, email } = lead.success ? lead.data : {};
      for (const name of `${displayName ?? ''} ${email ?? ''}`.toLowerCase().split(OTHER_CHARACTERS)) {
        this.#names.add(name);
      }
    }
  }

  async #keepPace(): Promise<void> {
    const { clock } = this.#options;
    const wait = this.#startedAt + MINUTE / (this.#limit * SHARE) - clock.now();
    if (wait > 0) {
      await clock.sleep(wait);
    }
    this.#startedAt = clock.now();
  }

  async #exchange(id: OperationId, { id: row = '', query = {}, body, withKey = true }: ProbeInput) {
    const { baseUrl, apiKey, onExchange } = this.#options;
    const operation: Operation = operations[id];
    const path = operation.path.replace('{id}', row);
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const text = body === undefined ? '' : JSON.stringify(body);
    const outcome: Outcome = await askService({
      url: new URL(`${baseUrl.href}${path}${search.size === 0 ? '' : `?${search}`}`),
      method: operation.method,
      headers: new Headers({
        accept: 'application/json',
        ...(withKey && { 'x-api-key': apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }),
      body: body === undefined ? undefined : new TextEncoder().encode(text),
      signal: new AbortController().signal,
      share: { take: () => {} },
      limits: { timeout: MINUTE / 2 },
    });
    const index = this.#counts.get(id) ?? 0;
    this.#counts.set(id, index + 1);
    const request = {
      route: { id, operation, params: row === '' ? {} : { id: row } },
      index,
      method: operation.method,
      path,
      query: readQuery(search.toString(), operation.query),
      body: text,
    };
    onExchange({ request, outcome });
    return outcome;
  }
}

const COUNT = /^\d{1,9}$/;

const rateLimitOf = (headers: Headers): Reply['rateLimit'] => {
  const [limit = '', remaining = ''] = RATE_HEADERS.map((name) => headers.get(name) ?? '');
  return COUNT.test(limit) && COUNT.test(remaining) && Number(limit) > 0
    ? { limit: Number(limit), remaining: Number(remaining) }
    : undefined;
};

/** A minute, if the header says nothing. */
const retryAfterOf = (headers: Headers, now: number): number => {
  const text = headers.get('retry-after') ?? '';
  const at = COUNT.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? MINUTE : Math.max(1000, at - now);
};
