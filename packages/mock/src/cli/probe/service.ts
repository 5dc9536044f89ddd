import { randomInt, randomUUID } from 'node:crypto';
import type { Operation, OperationId } from '@confab/client/contract';
import { ErrorEnvelopeSchema, LeadSchema, operations } from '@confab/client/contract';
import type * as z from 'zod/mini';
import type { BaseUrl } from '../../request/call.ts';
import { textOf } from '../../request/call.ts';
import { readQuery } from '../../request/input.ts';
import { readJson } from '../../request/json.ts';
import type { Clock } from '../../world/clock/clock.ts';
import type { Exchange, ServiceReply } from '../forward/ask-service.ts';
import { askService } from '../forward/ask-service.ts';
import { NoAnswer } from './no-answer.ts';

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

const COUNT = /^\d{1,9}$/;

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
  readonly status: number;
  /** The body of a success that matches the contract. */
  readonly body: z.output<(typeof operations)[Id]['response']> | undefined;
  /** The code of an error. */
  readonly code: string | undefined;
  /** The scope that a 403 names. */
  readonly scope: string | undefined;
  /** The cap of the key, if the response has both rate-limit headers. */
  readonly limit: number | undefined;
  /** Whether it has any of them. */
  readonly hasRateHeader: boolean;
  /** Milliseconds to wait after a 429. */
  readonly retryAfterMs: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * The body of a success.
 *
 * @throws {@link NoAnswer} When it is no success, or differs from the contract.
 */
export const bodyOf = <Id extends OperationId>({ operation, status, body }: Reply<Id>) => {
  if (body !== undefined) {
    return body;
  }
  throw status === 403
    ? new NoAnswer(`the key may not call ${operation}`, 'Use a key that has the scope.')
    : new NoAnswer(
        `${operation} responded with ${status}${status < 300 ? ', but not as the contract says' : ''}`,
        'Run the probe again when the service responds as documented.',
      );
};

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
  /** Every reply so far. */
  readonly replies: Reply[] = [];
  /** The ids of the leads that were created. */
  readonly created: string[] = [];
  /** Requests that were sent. */
  requests = 0;
  readonly #options: ServiceOptions;
  /** The words of the names and emails that were seen. */
  readonly #names = new Set<string>();
  readonly #asked = new Map<string, Promise<Reply>>();
  /** The number of requests of each operation. */
  readonly #counts = new Map<OperationId, number>();
  #limit: number;
  /** Counts the phones of leads, from where another run has probably not been. */
  #phone = randomInt(800);
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#limit = options.limit ?? ASSUMED_LIMIT;
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

  /**
   * Returns a text that may be shown.
   *
   * @throws {@link NoAnswer} When it may contain a value of the account.
   */
  harmless(text: string): string {
    if (!this.isHarmless(text)) {
      throw new NoAnswer(
        'it is no plain word, or contains a value of the account',
        'Set the option by hand.',
      );
    }
    return text;
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

  /** The id of the first conversation that has messages; `undefined` if there is none on the first page. */
  async conversation(): Promise<string | undefined> {
    const { body } = await this.ask('conversations.list', { query: { limit: 100 } });
    return body?.data.find(({ lastMessageAt }) => lastMessageAt !== null)?.id;
  }

  /**
   * Returns the body of a success.
   *
   * @throws {@link NoAnswer} When there is none.
   */
  async need<Id extends OperationId>(id: Id, input?: ProbeInput) {
    return bodyOf(await this.ask(id, input));
  }

  /**
   * Sends a request. Questions that read the same share one request.
   *
   * @throws {@link NoAnswer} When there is no response.
   */
  async ask<Id extends OperationId>(id: Id, input: ProbeInput = {}): Promise<Reply<Id>> {
    const { method, path } = operations[id];
    const name = JSON.stringify([id, input]);
    const asked = method === 'GET' ? this.#asked.get(name) : undefined;
    if (asked === undefined && method !== 'GET') {
      const body = input.body === undefined ? '' : ` ${JSON.stringify(input.body)}`;
      this.#options.onWrite(`${method} ${path.replace('{id}', input.id ?? '')}${body}`);
    }
    const reply = asked ?? this.#patiently(id, input);
    this.#asked.set(name, reply);
    return (await reply) as Reply<Id>;
  }

  /** Sends a request again after a 429. */
  async #patiently(id: OperationId, input: ProbeInput): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#send(id, input);
      const { status, retryAfterMs } = reply;
      if (status !== 429 || attempt === MAX_ATTEMPTS || retryAfterMs > MAX_WAIT) {
        this.#note(reply);
        return reply;
      }
      this.#options.onProgress(this.requests, retryAfterMs);
      await this.#options.clock.sleep(retryAfterMs);
    }
  }

  /** Remembers names and emails, because a code could contain one of their words, and the leads that were created. */
  #note(reply: Reply): void {
    this.replies.push(reply);
    const data: unknown = Reflect.get(reply.body ?? {}, 'data');
    const leads = [data].flat().flatMap((row) => LeadSchema.safeParse(row).data ?? []);
    for (const { displayName, email } of leads) {
      for (const name of `${displayName ?? ''} ${email ?? ''}`.toLowerCase().split(OTHER_CHARACTERS)) {
        this.#names.add(name);
      }
    }
    if (reply.operation === 'leads.create') {
      this.created.push(...leads.map(({ id }) => id));
    }
  }

  async #send(id: OperationId, input: ProbeInput): Promise<Reply> {
    const { clock, maxRequests, onProgress } = this.#options;
    const again = 'Run the probe again, with a higher --max-requests if the budget was used up.';
    if (this.requests >= maxRequests) {
      throw new NoAnswer(`the budget of ${maxRequests} requests was used up`, again);
    }
    const wait = this.#startedAt + MINUTE / (this.#limit * SHARE) - clock.now();
    if (wait > 0) {
      await clock.sleep(wait);
    }
    this.#startedAt = clock.now();
    this.requests += 1;
    onProgress(this.requests, 0);
    const outcome = await this.#exchange(id, input);
    if (outcome.kind !== 'reply') {
      throw new NoAnswer(
        outcome.kind === 'failure' ? outcome.message : 'the service cut the connection',
        again,
      );
    }
    const reply = toReply(id, input, outcome, clock.now());
    this.#limit = reply.limit ?? this.#limit;
    return reply;
  }

  async #exchange(id: OperationId, { id: row = '', query = {}, body, withKey = true }: ProbeInput) {
    const { baseUrl, apiKey, onExchange } = this.#options;
    const operation: Operation = operations[id];
    const { method } = operation;
    const path = operation.path.replace('{id}', row);
    const search = String(
      new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])),
    );
    const text = body === undefined ? '' : JSON.stringify(body);
    const outcome = await askService({
      url: new URL(`${baseUrl.href}${path}${search === '' ? '' : `?${search}`}`),
      method,
      headers: {
        accept: 'application/json',
        ...(withKey && { 'x-api-key': apiKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : new TextEncoder().encode(text),
      limits: { timeout: MINUTE / 2 },
    });
    const index = this.#counts.get(id) ?? 0;
    this.#counts.set(id, index + 1);
    onExchange({
      request: {
        route: { id, operation, params: row === '' ? {} : { id: row } },
        ...{ index, method, path, query: readQuery(search, operation.query), body: text },
      },
      outcome,
    });
    return outcome;
  }
}

const toReply = (
  id: OperationId,
  { withKey = true }: ProbeInput,
  { status, headers, bytes }: ServiceReply,
  at: number,
): Reply => {
  const { value } = readJson(textOf(bytes));
  const operation: Operation = operations[id];
  const success = status === operation.status ? operation.response.safeParse(value).data : undefined;
  const error = status >= 400 ? ErrorEnvelopeSchema.safeParse(value).data : undefined;
  const scope = /\b(?:read|write):[a-z][a-z0-9_-]*/.exec(error?.error ?? '')?.[0];
  const limit = headers.get('x-ratelimit-limit');
  const remaining = headers.get('x-ratelimit-remaining');
  const hasBoth = COUNT.test(limit ?? '') && COUNT.test(remaining ?? '') && Number(limit) > 0;
  return {
    ...{ operation: id, withKey, status, at },
    body: success as Reply['body'],
    code: error?.code,
    scope: status === 403 ? scope : undefined,
    limit: hasBoth ? Number(limit) : undefined,
    hasRateHeader: limit !== null || remaining !== null,
    retryAfterMs: retryAfterOf(headers, at),
  };
};

/** A minute, if the header says nothing. */
const retryAfterOf = (headers: Headers, now: number): number => {
  const text = headers.get('retry-after') ?? '';
  const at = COUNT.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? MINUTE : Math.max(1000, at - now);
};
