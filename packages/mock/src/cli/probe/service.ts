import { randomInt, randomUUID } from 'node:crypto';
import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { counted } from '../../errors/check.ts';
import type { BaseUrl } from '../../request/incoming-request.ts';
import type { Clock } from '../../world/clock/clock.ts';
import { askService } from '../forward/ask-service.ts';
import type { Recording } from '../forward/recording.ts';
import { demand, NoAnswer } from './evidence.ts';
import type { Reply } from './reply.ts';
import { bodyOf, limitIn, toReply, waitAfter } from './reply.ts';

const MINUTE = 60_000;

/** The probe takes at most this part of the rate limit. */
const SHARE = 0.1;

/** Attempts of one request that meets 429s. */
const MAX_ATTEMPTS = 5;

/** A longer `Retry-After` is not waited for. */
const MAX_WAIT = 10 * MINUTE;

const AGAIN = 'Run the probe again, with a higher --max-requests if the budget was used up.';

/** The name and the source of leads that the probe creates. */
export const PROBE = 'confab-probe';

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

/** The input of the longest page of a list. */
export const FIRST_PAGE: ProbeInput = { query: { limit: 100 } };

interface ServiceOptions {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly maxRequests: number;
  /** Requests per minute of the key, until the service names its own number. */
  readonly limit: number;
  /** Prints each request that may change something, before it is sent. */
  readonly print: (text: string) => void;
  /** Shows a line in place of the last one; `''` at the end. */
  readonly showProgress: (line: string) => void;
  readonly recording: Recording;
}

const pathOf = (id: OperationId, row = ''): string => operations[id].path.replace('{id}', row);

/** The service that is asked: at a tenth of its rate limit at most, and never more often than the budget allows. */
export class Service {
  /** An id that belongs to no row. */
  readonly missingId = randomUUID();
  /** Another one. */
  readonly otherMissingId = randomUUID();
  /** Every reply so far. */
  readonly replies: Reply[] = [];
  /** Requests that were sent. */
  requests = 0;
  /** What the next requests are about. */
  about = 'first page of leads';
  readonly #options: ServiceOptions;
  readonly #asked = new Map<string, Promise<Reply>>();
  /** The number of requests of each operation. */
  readonly #counts = new Map<OperationId, number>();
  #limit: number;
  /** Counts the phones of leads, from where another run has probably not been. */
  #phone = randomInt(700);
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#limit = options.limit;
  }

  /** The ids of the leads that were created. */
  get created(): string[] {
    const creating = this.replies.filter(
      (reply) => reply.operation === 'leads.create',
    ) as Reply<'leads.create'>[];
    return creating.flatMap(({ body }) => body?.data.id ?? []);
  }

  /** Whether a text contains the key. */
  hasKey(text: string): boolean {
    return text.includes(this.#options.apiKey);
  }

  /** The body of a lead that is recognized as the probe's, with a phone that is reserved for fiction. */
  newLead(): { readonly phone: string; readonly displayName: string; readonly source: string } {
    this.#phone += 1;
    // Not 202, which the phones of the demo data have.
    const area = 303 + 101 * (Math.floor(this.#phone / 100) % 7);
    const phone = `+1${area}55501${String(this.#phone % 100).padStart(2, '0')}`;
    return { phone, displayName: PROBE, source: PROBE };
  }

  /** The id of the first conversation that has messages; `undefined` if there is none on the first page. */
  async conversation(): Promise<string | undefined> {
    const { body } = await this.ask('conversations.list', FIRST_PAGE);
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
    const name = JSON.stringify([id, input]);
    const isWrite = operations[id].method !== 'GET';
    if (isWrite) {
      const { print, showProgress } = this.#options;
      showProgress('');
      print(`Writing: ${operations[id].method} ${pathOf(id, input.id)} ${JSON.stringify(input.body)}\n`);
    }
    const reply = (isWrite ? undefined : this.#asked.get(name)) ?? this.#pace(id, input);
    this.#asked.set(name, reply);
    return (await reply) as Reply<Id>;
  }

  /** Sends a request once the limit allows, and again after a 429. */
  async #pace(id: OperationId, input: ProbeInput): Promise<Reply> {
    const { clock, maxRequests } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      demand(this.requests < maxRequests, `the budget of ${maxRequests} requests was used up`, AGAIN);
      await clock.sleep(Math.max(0, this.#startedAt + MINUTE / (this.#limit * SHARE) - clock.now()));
      this.#startedAt = clock.now();
      this.requests += 1;
      this.#progress();
      const reply = await this.#send(id, input);
      this.#limit = limitIn(reply.headers) ?? this.#limit;
      const wait = waitAfter(reply);
      if (reply.status !== 429 || attempt === MAX_ATTEMPTS || wait > MAX_WAIT) {
        this.replies.push(reply);
        return reply;
      }
      this.#progress(` (429, waiting ${Math.ceil(wait / 1000)} s)`);
      await clock.sleep(wait);
    }
  }

  #progress(more = ''): void {
    const { maxRequests, showProgress } = this.#options;
    showProgress(`${this.requests} of at most ${counted(maxRequests, 'request')}: ${this.about}${more}`);
  }

  async #send(id: OperationId, { id: row, query = {}, body, withKey = true }: ProbeInput): Promise<Reply> {
    const { baseUrl, apiKey, clock, recording } = this.#options;
    const operation: Operation = operations[id];
    const { method } = operation;
    const text = body && JSON.stringify(body);
    const url = new URL(baseUrl.href + pathOf(id, row));
    for (const [name, value] of Object.entries(query)) {
      url.searchParams.set(name, String(value));
    }
    const headers = {
      accept: 'application/json',
      ...(withKey && { 'x-api-key': apiKey }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    };
    const outcome = await askService({ url, method, headers, body: text, limits: { timeout: MINUTE / 2 } });
    const index = this.#counts.get(id) ?? 0;
    this.#counts.set(id, index + 1);
    const route = { id, operation, params: {} };
    recording.add({ route, index, method, body: text ?? '' }, outcome);
    if (outcome.kind !== 'reply') {
      const reason = outcome.kind === 'failure' ? outcome.message : 'the service cut the connection';
      throw new NoAnswer(reason, AGAIN);
    }
    return toReply({ operation: id, withKey }, outcome, clock.now());
  }
}
