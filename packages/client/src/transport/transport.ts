import type { Issue, OperationId, OperationResponses } from '../contract/types/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { Config } from '../options/resolve-client-options.ts';
import type { Reply } from './api-promise.ts';
import { ApiPromise } from './api-promise.ts';
import type { Input } from './build-request.ts';
import { decodeSuccess } from './read-outcome/decode-envelope.ts';
import type { Validation } from './read-outcome/validate-response.ts';
import { objectTo, validateResponse } from './read-outcome/validate-response.ts';
import type { Caller } from './send-with-retries.ts';

/** What an operation's call resolves with. */
export type DataOf<Id extends OperationId> = OperationResponses[Id]['data'];

/** Sends an operation and checks what comes back. Every resource is made of it. */
export interface Requester {
  /** The data alone. */
  send<Id extends OperationId>(id: Id, input: Input, options?: CallOptions): ApiPromise<DataOf<Id>>;
  /** The whole envelope. */
  exchange<Id extends OperationId>(
    id: Id,
    input: Input,
    options?: CallOptions,
  ): Promise<Exchanged<OperationResponses[Id]>>;
}

interface Exchanged<Envelope> extends Reply<Envelope> {
  /** Does what `validation` says about places where the response breaks what no schema can say. */
  object(issues: readonly Issue[]): void;
}

export const createRequester = (config: Config, call: Caller): Requester => {
  const exchange: Requester['exchange'] = async <Id extends OperationId>(
    id: Id,
    input: Input,
    options: CallOptions = {},
  ) => {
    const answer = await call(id, input, options);
    const validation: Validation = {
      operation: id,
      status: answer.status,
      mode: options.validation ?? config.validation,
      report: config.report,
    };
    return {
      answer,
      object: (issues) => objectTo(issues, validation),
      decode() {
        const envelope = decodeSuccess(answer);
        validateResponse(envelope, validation);
        // In the modes that let drift pass, the type is what the contract promises and the service may have broken.
        return envelope as OperationResponses[Id];
      },
    };
  };

  return {
    exchange,
    send: (id, input, options) =>
      new ApiPromise(
        exchange(id, input, options).then(({ answer, decode }) => ({ answer, decode: () => decode().data })),
      ),
  };
};
