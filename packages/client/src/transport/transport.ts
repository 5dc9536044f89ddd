import type { Issue, OperationId, OperationName, OperationResponses } from '../contract/types.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallStartEvent } from '../options/hook-events.ts';
import { resolveCallOptions } from '../options/resolve-call-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import { ApiPromise } from './api-promise.ts';
import type { ApiResponse, ReceivedData } from './api-response.ts';
import type { OperationInput } from './build-request.ts';
import { buildRequest } from './build-request.ts';
import { decodeEnvelope } from './read-outcome/decode-envelope.ts';
import { handleIssues, validateResponse } from './read-outcome/validate-response.ts';
import { sendWithRetries } from './send-with-retries.ts';
import type { CallProgress } from './track-call.ts';
import { trackCall } from './track-call.ts';

/** The data of an operation's successful response. */
export type DataOf<Id extends OperationId> = OperationResponses[Id]['data'];

/** Calls operations. Every method of a resource goes through it. */
export interface Transport {
  /** Calls an operation and resolves with its data. */
  call<Id extends OperationId>(id: Id, input: OperationInput, options?: CallOptions): ApiPromise<DataOf<Id>>;
  /** Calls an operation and resolves with its successful response. */
  send<T>(
    id: OperationName,
    input: OperationInput,
    options: CallOptions | undefined,
    decode: (response: ApiResponse) => T | Promise<T>,
  ): Promise<ReceivedData<T>>;
  /** Runs several calls as one, for hooks and tracing. They go through the transport that `run` is called with. */
  asOne<T>(
    operation: CallStartEvent['operation'],
    signal: AbortSignal | undefined,
    run: (part: Transport) => Promise<ReceivedData<T>>,
  ): Promise<ReceivedData<T>>;
  /**
   * Decodes a response and checks it against the contract.
   *
   * @throws {@link InvalidResponseError} When the body is not a success envelope, or breaks the contract and
   * `validation` is `'strict'`.
   */
  decode<Id extends OperationId>(response: ApiResponse): OperationResponses[Id];
  /**
   * Reports or throws issues that no schema can find.
   *
   * @throws {@link InvalidResponseError} When `validation` is `'strict'` and there are issues.
   */
  handleIssues(issues: readonly Issue[], response: ApiResponse): void;
}

/** Runs a part of a call, and adds what it has done to the whole. */
const trackPart = async <T>(whole: CallProgress, run: (progress: CallProgress) => Promise<T>): Promise<T> => {
  const part = { ...whole, attempts: 0, queuedMs: 0, waitedMs: 0 };
  try {
    return await run(part);
  } finally {
    whole.attempts += part.attempts;
    whole.queuedMs += part.queuedMs;
    whole.waitedMs += part.waitedMs;
  }
};

/** @param whole The call that all calls are a part of, if there is one. */
export const createTransport = (
  client: ResolvedClientOptions,
  limiter: Limiter,
  whole?: CallProgress,
): Transport => {
  const send: Transport['send'] = (id, input, options = {}, decode) => {
    const run = async (progress: CallProgress) => {
      const request = buildRequest(id, input, client.key.redact, options ?? {});
      const resolved = resolveCallOptions(request.operation, client.callDefaults, options, client.key.redact);
      return sendWithRetries(client, limiter, request, resolved, progress, input.onUncertainRepeat, decode);
    };
    return whole ? trackPart(whole, run) : trackCall(client, id, options?.signal, run);
  };

  const decode = <Id extends OperationId>(response: ApiResponse) => {
    const envelope = decodeEnvelope(response);
    validateResponse(envelope, response, client.report);
    // Unless `validation` is `'strict'`, the service may have broken the contract that this type promises.
    return envelope as OperationResponses[Id];
  };

  return {
    send,
    asOne: (operation, signal, run) =>
      trackCall(client, operation, signal, (progress) => run(createTransport(client, limiter, progress))),
    decode,
    call: <Id extends OperationId>(id: Id, input: OperationInput, options?: CallOptions) =>
      new ApiPromise(send(id, input, options, (response): DataOf<Id> => decode<Id>(response).data)),
    handleIssues: (issues, response) => handleIssues(issues, response, client.report),
  };
};
