import { rejectOnAbort } from '@confab/internal';
import { sign } from '@confab/webhooks';
import { formatValue } from '../../errors/check.ts';
import { describeFailure } from '../../errors/failure-reason.ts';
import { linkSignals } from '../clock/abort.ts';
import type { WorldClock } from '../clock/clock.ts';
import { suspendSafeTimer } from '../clock/real-timers.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { CompleteEndpoint } from './endpoints.ts';
import { Slots } from './slots.ts';

type SignatureHeaders = Attempt['signature'];

type Outcome = Pick<Attempt, 'status' | 'refusal'>;

/** Creates the request of a delivery. The headers of the signature replace the user's, whatever their case. */
const createRequest = (
  { url, headers, idHeader }: CompleteEndpoint,
  { messageId, body }: Delivery,
  signature: SignatureHeaders,
  signal: AbortSignal,
): Request => {
  const request = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'manual',
    signal,
  });
  const own = { ...(idHeader !== undefined && { [idHeader]: messageId }), ...signature };
  for (const [name, value] of Object.entries(own)) {
    request.headers.set(name, value);
  }
  return request;
};

const MAX_REFUSAL_BYTES = 200;

/** Reads the start of a refusal, which usually says why. The refusal counts even if its body fails or stalls. */
const readRefusal = async (response: Response, signal: AbortSignal): Promise<string | undefined> => {
  try {
    const reader = response.body?.getReader();
    const { value } = reader ? await rejectOnAbort(reader.read(), signal) : {};
    reader?.cancel().catch(() => {});
    // With `stream`, a character that is cut in half is left out.
    return new TextDecoder().decode(value?.subarray(0, MAX_REFUSAL_BYTES), { stream: true }) || undefined;
  } catch {
    return undefined;
  }
};

/** Signs a delivery and posts it, in a single attempt. */
export class DeliverySender {
  readonly #clock: WorldClock;
  /** The slots of each endpoint, so that a slow receiver delays only its own deliveries. */
  readonly #slots = new WeakMap<CompleteEndpoint, Slots>();
  /** Resolves once all earlier deliveries have been signed: signing is asynchronous, but events must leave in order. */
  #signed: Promise<unknown> = Promise.resolve();

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  /** @throws The signal's reason, when it aborts before the attempt begins. All other failures are part of the attempt. */
  async attempt(endpoint: CompleteEndpoint, delivery: Delivery, signal: AbortSignal): Promise<Attempt> {
    const slots = this.#slots.get(endpoint) ?? new Slots(endpoint.concurrency);
    this.#slots.set(endpoint, slots);
    await slots.take(signal);
    const at = this.#clock.now();
    let signature: SignatureHeaders = {};
    let outcome: Outcome = { status: undefined, refusal: undefined };
    let error: string | undefined;
    try {
      signature = await this.#signInOrder(endpoint, delivery);
      signal.throwIfAborted();
      outcome = await this.#post(endpoint, delivery, signature, signal);
    } catch (thrown) {
      error = describeFailure(thrown);
    } finally {
      slots.release();
    }
    return { at, durationMs: this.#clock.now() - at, signature, error, ...outcome };
  }

  /** Signs a body, and waits until all earlier ones have been signed. */
  async #signInOrder(
    { secret, signature }: CompleteEndpoint,
    { messageId: id, body, fault }: Delivery,
  ): Promise<SignatureHeaders> {
    const earlier = this.#signed;
    let leave = () => {};
    this.#signed = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const release = this.#clock.holdTime('work');
    try {
      const timestamp = Math.floor(this.#clock.now() / 1000);
      const signed = fault?.signature === 'wrong' ? `${body} ` : body;
      const headers = await sign(signed, { secret, signature, timestamp, id });
      await earlier;
      return headers;
    } finally {
      release();
      leave();
    }
  }

  async #post(
    endpoint: CompleteEndpoint,
    delivery: Delivery,
    signature: SignatureHeaders,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { timeout, fetch } = endpoint;
    const { controller: ended, release: unlink } = linkSignals(signal);
    const release = this.#clock.holdTime('receiver');
    // A receiver runs in real time, even if the clock is virtual.
    const cancel = suspendSafeTimer(timeout, () =>
      ended.abort(new DOMException(`No response within ${timeout} ms`, 'TimeoutError')),
    );
    try {
      const request = createRequest(endpoint, delivery, signature, ended.signal);
      // An async function, because `fetch` may return any kind of promise.
      const response = await rejectOnAbort((async () => fetch(request))(), ended.signal);
      if (typeof response?.status !== 'number') {
        throw new TypeError(`\`fetch\` of the endpoint must return a Response, got ${formatValue(response)}`);
      }
      const { status } = response;
      if (status < 200 || status > 299) {
        return { status, refusal: await readRefusal(response, ended.signal) };
      }
      // It does not matter whether discarding the body fails.
      response.body?.cancel().catch(() => {});
      return { status, refusal: undefined };
    } finally {
      cancel();
      release();
      unlink();
      ended.abort();
    }
  }
}
