import { createRedact } from '@confab/internal';
import { toOutcome } from '../../../packages/client/src/call/exchange.ts';
import { readData, toResponse } from '../../../packages/client/src/call/response.ts';
import type { Operation } from '../../../packages/client/src/contract/index.ts';
import { operations } from '../../../packages/client/src/contract/index.ts';
import type { Issue, OperationId } from '../../../packages/client/src/contract/types/index.ts';
import type { ApiError } from '../../../packages/client/src/errors/index.ts';
import { ConfabError, InvalidResponseError } from '../../../packages/client/src/errors/index.ts';
import type { ValidationMode } from '../../../packages/client/src/options/client-options.ts';
import { readMessage, toHeaders } from '../engine/message.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';

const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
const NOW = 1_769_860_800_000;
const redact = createRedact([KEY]);
const ids = Object.keys(operations) as OperationId[];
const MODES: readonly ValidationMode[] = ['strict', 'warn', 'off'];

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  429: 'RateLimitError',
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What holds for every error, whatever the service sent. */
const checkError = (error: unknown): ConfabError => {
  hold(error instanceof ConfabError, `threw ${error}`);
  // Issues have a line each.
  const lines = error instanceof InvalidResponseError ? error.message.split('\n') : [error.message];
  hold(lines.length <= 110 && lines.every((line) => line.length < 1_600), 'a long message');
  hold(!lines.some((line) => /[\p{Cc}\u2028\u2029]/u.test(line)), 'the message is not one line');
  const written = JSON.stringify(error) + error.message;
  hold(!written.toLowerCase().includes(KEY.toLowerCase()), 'the error contains the key');
  return error;
};

const checkApiError = (thrown: unknown, status: number, body: unknown): void => {
  const error = checkError(thrown) as ApiError;
  same(error.name, status >= 500 ? 'ServerError' : (CLASSES[status] ?? 'ApiError'), 'the class');
  same(error.status, status, 'the status');
  const isEnvelope =
    isObject(body) &&
    body.success === false &&
    typeof body.error === 'string' &&
    typeof body.code === 'string';
  if (!isEnvelope) {
    same(error.code, `HTTP_${status}`, 'the code');
    same(error.detail, undefined, 'the detail');
  } else if (
    /^\w{1,100}$/.test(String(body.code)) &&
    !String(body.code).toLowerCase().includes(KEY.toLowerCase())
  ) {
    same(error.code, body.code, 'the code');
  }
  hold(error.code.length <= 100 && (error.detail ?? '').length <= 1_000, 'a long code or detail');
  hold(String(error.body).length <= 10_000, 'a long body');
  const { docsUrl } = error;
  hold(docsUrl === undefined || URL.canParse(docsUrl), `the page ${docsUrl}`);
};

/** Checks a successful response. The schema of the contract decides, not the shape that the client checks by. */
const checkSuccess = (
  id: OperationId,
  body: unknown,
  read: () => unknown,
  mode: ValidationMode,
  drift: readonly Issue[],
): void => {
  const isEnvelope = isObject(body) && body.success === true && 'data' in body;
  const isValid = (operations[id] as Operation).response.safeParse(body).success;
  let envelope: unknown;
  try {
    envelope = read();
  } catch (error) {
    hold(checkError(error) instanceof InvalidResponseError, `threw ${error}`);
    hold(!isEnvelope || (mode === 'strict' && !isValid), 'a valid response was refused');
    return;
  }
  hold(isEnvelope && (mode !== 'strict' || isValid), 'an invalid response was accepted');
  hold(envelope === body, 'the data was changed');
  same(drift.length > 0, mode === 'warn' && !isValid, 'reported as drift');
};

/** The first line is the status, the number of an operation and the number of a validation mode. */
export const target: Target = {
  checks:
    'Responses of any status: class, code and length of errors, one line, no key in any of them; a body passes `strict` exactly if the schema of the contract accepts it',
  maxBytes: 3_000,
  work: (bytes) => 4_000 + 120 * bytes,
  words: [
    KEY,
    '"success":false',
    '"success":true',
    '"error":"',
    '"code":"',
    'read:leads',
    '<title>',
    'content-type: text/html',
    'text/plain',
    'location: https://',
  ],
  run: (input) => {
    const message = readMessage(input);
    const [statusText, at, mode] = message.line.split(' ');
    const status = Number(statusText);
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      return;
    }
    const id = ids[Number(at) % ids.length] ?? 'leads.get';
    const validation = MODES[Number(mode) % MODES.length] ?? 'strict';
    const { method } = operations[id];
    const text = message.body.toString('utf8');
    const init = { status, headers: toHeaders(message) };
    const response = new Response(null, init);
    const outcome = toOutcome(response, text, redact, NOW);
    const call = {
      request: { operation: id, label: id, method, path: '/x', body: undefined },
      attempts: 1,
      timeout: 1,
      baseUrl: 'https://api.example.com',
      maxResponseBytes: 1_000,
      redact,
      doubt: ' The service may have acted.',
    };
    const drift: Issue[] = [];
    const report = { drift: ({ issues }: { issues: readonly Issue[] }) => void drift.push(...issues) };
    const read = () => readData(toResponse(outcome, call, validation), report as never);
    const body = parsed(text);
    hold(JSON.stringify(outcome.body) === JSON.stringify(body), 'the parsed body');
    if (status < 300) {
      checkSuccess(id, outcome.body, read, validation, drift);
      return;
    }
    try {
      read();
    } catch (error) {
      if (status < 400) {
        hold(checkError(error) instanceof InvalidResponseError, `threw ${error}`);
      } else {
        checkApiError(error, status, body);
      }
      return;
    }
    hold(false, `a response of ${status} was accepted`);
  },
};
