import type { Operation } from '@confab/client/contract';
import { describeIssues, ErrorEnvelopeSchema } from '@confab/client/contract';
import { pathName, typeName } from '@confab/internal';
import * as z from 'zod/mini';
import type { NamedCode } from '../../errors/refusal.ts';
import { textOf } from '../../request/call.ts';
import { isBodiless } from '../../request/envelope.ts';
import { readJson } from '../../request/json.ts';
import type { ServiceReply } from '../exchange.ts';
import type { Drift } from './drift.ts';
import { exactSchema } from './exact-schema.ts';

type Finding = Pick<Drift, 'path' | 'message'>;

/** The error responses of the API, each with its codes if the API names them. */
const ERRORS: ReadonlyMap<number, readonly NamedCode[]> = new Map([
  [400, []],
  [401, ['API_KEY_REQUIRED', 'API_KEY_INVALID']],
  [403, ['SCOPE_REQUIRED']],
  [404, []],
  [409, []],
  [429, ['RATE_LIMIT_EXCEEDED']],
]);

/** The headers of a 429, all whole numbers. */
const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'];

/** Findings of a response: the rows of a page may have thousands. */
const MOST = 1_000;

/** New values of enums are shown, because their name is what one needs to know. */
const wordOrType = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][a-z_-]{0,39}$/i.test(value) ? JSON.stringify(value) : typeName(value);

/** A name that a program gave to a field; any other could be a value, such as the phone in a map of phones. */
const fieldName = (name: string): string => (/^[a-z_$][\w$-]{0,39}$/i.test(name) ? name : '{…}');

const findingsOf = (issue: z.core.$ZodIssue, value: unknown): Finding[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathName([...issue.path, fieldName(key)], 'body'),
      message: 'is not in the contract',
    }));
  }
  const show = issue.code === 'invalid_value' ? wordOrType : typeName;
  return describeIssues({ issues: [issue] }, value, 'body', show);
};

const checkBody = (schema: z.core.$ZodType, value: unknown): Finding[] => {
  const result = z.safeParse(exactSchema(schema), value);
  return result.success
    ? []
    : result.error.issues.slice(0, MOST).flatMap((issue) => findingsOf(issue, value));
};

const checkStatus = (operation: Operation, status: number): Finding[] =>
  status === operation.status || ERRORS.has(status)
    ? []
    : [
        {
          path: 'status',
          message: `must be ${operation.status}, or ${[...ERRORS.keys()].join(', ')} for an error, got ${status}`,
        },
      ];

const checkCode = (status: number, value: unknown): Finding[] => {
  const codes: readonly string[] = ERRORS.get(status) ?? [];
  const envelope = ErrorEnvelopeSchema.safeParse(value);
  return codes.length === 0 || !envelope.success || codes.includes(envelope.data.code)
    ? []
    : [
        {
          path: 'body.code',
          message: `must be ${codes.join(' or ')}, got ${wordOrType(envelope.data.code)}`,
        },
      ];
};

const checkHeaders = (status: number, headers: Headers): Finding[] =>
  LIMIT_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    const isNeeded = status === 429;
    return (value === null && !isNeeded) || /^\d+$/.test(value ?? '')
      ? []
      : [
          {
            path: `headers.${name}`,
            message: `must be a whole number, ${value === null ? 'but it is missing' : 'got other text'}`,
          },
        ];
  });

const checkContent = (operation: Operation, { status, headers, bytes }: ServiceReply): Finding[] => {
  const type = headers.get('content-type');
  if (!/^application\/json\b/i.test(type ?? '')) {
    return [
      {
        path: 'headers.content-type',
        message: `must be application/json, got ${type === null ? 'none' : (/^[a-z]+\/[a-z.+-]+/i.exec(type)?.[0] ?? 'other text')}`,
      },
    ];
  }
  const { value, problem } = readJson(textOf(bytes));
  if (problem !== undefined) {
    return [{ path: 'body', message: problem }];
  }
  const schema = status < 300 ? operation.response : ErrorEnvelopeSchema;
  return [...checkBody(schema, value), ...checkCode(status, value)];
};

/** Compares a response with the contract. */
export const responseDrift = (operation: Operation, method: string, reply: ServiceReply): Drift[] => {
  const { status, headers } = reply;
  const hasBody = method !== 'HEAD' && !isBodiless(status);
  return [
    ...checkStatus(operation, status),
    ...checkHeaders(status, headers),
    ...(hasBody ? checkContent(operation, reply) : []),
  ].map(({ path, message }) => ({
    operation: operation.id,
    side: 'response',
    path: path.replace(/\[\d+\]/g, '[]'),
    message,
  }));
};
