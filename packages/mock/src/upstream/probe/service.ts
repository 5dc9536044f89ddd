import { randomUUID } from 'node:crypto';
import type { ErrorEnvelope, Operation, OperationId, OperationResponses } from '@confab/client/contract';
import { ErrorEnvelopeSchema, operations } from '@confab/client/contract';
import { UsageError } from '@confab/internal/cli';
import { pluralize } from '../../errors/check.ts';
import type { Clock } from '../../world/clock/clock.ts';
import { fetchUpstream } from '../fetch-upstream.ts';
import type { Recorder } from '../record/recorder.ts';
import { assertEvidence, NoAnswer } from './evidence.ts';

/** The input of a request. It may break the contract, because some questions are about invalid input. */
export interface ProbeInput {
  readonly id?: string | undefined;
  readonly query?: Record<string, string> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the key is sent.
   * @default true
   */
  readonly withKey?: boolean | undefined;
}

/** The parts of a response that questions need. */
export interface Reply<Id extends OperationId = OperationId> {
  readonly operation: Id;
  /** Whether the request had the key. */
  readonly withKey: boolean;
  readonly status: number;
  readonly headers: Headers;
  /** The body, if it is a success that matches the contract. */
  readonly body: OperationResponses[Id] | undefined;
  /** The body, if it is an error that matches the contract. */
  readonly error: ErrorEnvelope | undefined;
}

/**
 * The body of a success.
 *
 * @throws A {@link NoAnswer} when it is not a success, or differs from the contract.
 */
export const bodyOf = <Id extends OperationId>({ operation, status, body }: Reply<Id>) => {
  assertEvidence(status !== 403, `the key may not call ${operation}`, 'Use a key that has the scope.');
  const unlike = status < 300 ? ', but not as the contract says' : '';
  const remedy = 'Run the probe again when the service responds as documented.';
  assertEvidence(body !== undefined, `${operation} responded with ${status}${unlike}`, remedy);
  return body;
};

/** The rate limit of the key, if a response names it. */
export const limitIn = (headers: Headers): number | undefined => {
  const limit = headers.get('x-ratelimit-limit') ?? '';
  return /^[1-9]\d{0,8}$/.test(limit) ? Number(limit) : undefined;
};

const MINUTE = 60_000;

/** How long to wait after a 429, in milliseconds: a minute, if the header says nothing. */
const waitAfter = (headers: Headers, now: number): number => {
  const text = headers.get('retry-after') ?? '';
  const end = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(end) ? MINUTE : Math.max(1000, end - now);
};

/** The largest share of the rate limit that the probe takes. */
const SHARE = 0.1;

/** The maximum number of attempts of a request that gets 429s. */
const MAX_ATTEMPTS = 5;

/** A longer `Retry-After` ends the probe. */
const MAX_WAIT = 10 * MINUTE;

const AGAIN = 'Run the probe again, with a higher --max-requests if the budget was used up.';

/** Ids that belong to no row. */
export const MISSING_IDS = [randomUUID(), randomUUID()] as const;

/** The input of the longest page of a list. */
export const FIRST_PAGE: ProbeInput = { query: { limit: '100' } };

export interface ServiceOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly maxRequests: number;
  /** Requests per minute of the key, until the service names its own number. */
  readonly rateLimit: number;
  readonly allowWrites?: boolean | undefined;
  /** Prints each request that may change something, before it is sent. */
  readonly print: (text: string) => void;
  /** Shows a line in place of the last one; `''` at the end. */
  readonly showProgress: (line: string) => void;
  readonly recorder: Recorder;
}

/** Sends the requests of the probe: at most at a tenth of the rate limit, and no more than the budget allows. */
export class Service {
  /** Every reply so far. */
  readonly replies: Reply[] = [];
  /** The operations of the requests that were sent. */
  readonly sent: OperationId[] = [];
  /** The question that the next requests belong to. */
  about = 'first page of leads';
  readonly #options: ServiceOptions;
  readonly #asked = new Map<string, Promise<Reply>>();
  #limit: number;
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#limit = options.rateLimit;
  }

  /** The ids of the leads that were created. */
  get created(): string[] {
    const creating = this.replies.filter(({ operation }) => operation === 'leads.create');
    return (creating as Reply<'leads.create'>[]).flatMap(({ body }) => body?.data.id ?? []);
  }

  /** Whether a text contains the key. */
  hasKey(text: string): boolean {
    return text.includes(this.#options.apiKey);
  }

  /** The id of the first conversation that has messages; `undefined` if there is none on the first page. */
  async conversation(): Promise<string | undefined> {
    const { body } = await this.ask('conversations.list', FIRST_PAGE);
    return body?.data.find(({ lastMessageAt }) => lastMessageAt !== null)?.id;
  }

  /** @throws A {@link NoAnswer} when the operation may change something, and the user does not allow that. */
  checkAllowed(id: OperationId): void {
    const isAllowed = this.#options.allowWrites === true || operations[id].method === 'GET';
    assertEvidence(isAllowed, 'only a write can tell', 'Use --allow-writes.');
  }

  /**
   * Sends a request, and returns the body of its success.
   *
   * @throws A {@link NoAnswer} when it does not succeed.
   */
  async read<Id extends OperationId>(id: Id, input?: ProbeInput) {
    return bodyOf(await this.ask(id, input));
  }

  /**
   * Sends a request. Equal GET requests are sent once, and share the reply.
   *
   * @throws A {@link NoAnswer} when there is no response, or the user does not allow writes.
   */
  async ask<Id extends OperationId>(id: Id, input: ProbeInput = {}): Promise<Reply<Id>> {
    this.checkAllowed(id);
    const { method, path } = operations[id];
    const url = new URL(this.#options.baseUrl + path.replace('{id}', () => input.id ?? ''));
    url.search = String(new URLSearchParams(input.query));
    const name = `${url} ${input.withKey}`;
    const shared = method === 'GET' ? this.#asked.get(name) : undefined;
    const reply = shared ?? this.#pace(id, url, input);
    this.#asked.set(name, reply);
    return (await reply) as Reply<Id>;
  }

  /**
   * Asks for the first page of leads.
   *
   * @throws A {@link UsageError} when the service refuses the key, or does not respond as the API does.
   */
  async checkApi(): Promise<void> {
    const { status, headers } = await this.ask('leads.list', FIRST_PAGE);
    if (status === 401) {
      throw new UsageError('The service refused the key with a 401. Set CONFAB_API_KEY to a valid one.');
    }
    const type = headers.get('content-type')?.slice(0, 100) ?? 'without a content type';
    if ((status >= 300 && status !== 403) || !/[/+]json\b/i.test(type)) {
      throw new UsageError(
        `GET ${operations['leads.list'].path} was answered with ${status} (${type}), not as the API does. Check --base-url, and that the service works.`,
      );
    }
  }

  /**
   * Sends a request once the limit allows, and again after a 429.
   *
   * @throws A {@link UsageError} when the service asks for a longer wait than ten minutes.
   */
  async #pace(id: OperationId, url: URL, input: ProbeInput): Promise<Reply> {
    const { clock, maxRequests, showProgress } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      assertEvidence(
        this.sent.length < maxRequests,
        `the budget of ${maxRequests} requests was used up`,
        AGAIN,
      );
      await clock.sleep(Math.max(0, this.#startedAt + MINUTE / (this.#limit * SHARE) - clock.now()));
      this.#startedAt = clock.now();
      const reply = await this.#send(id, url, input);
      this.#limit = limitIn(reply.headers) ?? this.#limit;
      const wait = waitAfter(reply.headers, clock.now());
      if (reply.status !== 429 || attempt === MAX_ATTEMPTS) {
        this.replies.push(reply);
        return reply;
      }
      const seconds = Math.ceil(wait / 1000);
      if (wait > MAX_WAIT) {
        throw new UsageError(
          `The service responded with 429 and asks the probe to wait ${seconds} s. Wait, then run it again.`,
        );
      }
      showProgress(`429, waiting ${seconds} s: ${this.about}`);
      await clock.sleep(wait);
    }
  }

  async #send(id: OperationId, url: URL, { body, withKey = true }: ProbeInput): Promise<Reply> {
    const { apiKey, maxRequests, print, showProgress, recorder } = this.#options;
    const operation: Operation = operations[id];
    const { method } = operation;
    const text = body && JSON.stringify(body);
    if (method !== 'GET') {
      showProgress('');
      print(`Writing: ${method} ${url.pathname} ${text}\n`);
    }
    const index = this.sent.filter((sent) => sent === id).length;
    this.sent.push(id);
    showProgress(`${this.sent.length} of at most ${pluralize(maxRequests, 'request')}: ${this.about}`);
    const headers = {
      accept: 'application/json',
      ...(withKey && { 'x-api-key': apiKey }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    const outcome = await fetchUpstream({
      url,
      method,
      headers,
      body: text,
      limits: { timeout: MINUTE / 2 },
    });
    recorder.add({ route: { id, operation, params: {} }, index, method }, outcome);
    if (outcome.kind !== 'reply') {
      const reason = outcome.kind === 'failure' ? outcome.message : 'the service cut the connection';
      throw new NoAnswer(reason, AGAIN);
    }
    const { status, headers: received } = outcome;
    const { value } = outcome.json;
    const success = status === operation.status ? operation.response.safeParse(value).data : undefined;
    const error = status >= 400 ? ErrorEnvelopeSchema.safeParse(value).data : undefined;
    return { operation: id, withKey, status, headers: received, body: success as Reply['body'], error };
  }
}
