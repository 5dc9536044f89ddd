import { expect, test } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';

/** Numbers in guides: the guide, its words, the source file, and the code that the words must agree with. */
const PROMISES = `
control-endpoints | the log, oldest first, 1,000 unless | mock/src/world/log/query.ts | const LIMIT = 1_000;
control-endpoints | After 10 s | mock/src/control/webhooks.ts | const DEFAULT_FLUSH_MS = 10_000;
control-endpoints | up to five minutes | mock/src/control/webhooks.ts | const MAX_FLUSH_MS = 300_000;
errors | 10,000 characters | client/src/call/describe-body.ts | const MAX_KEPT = 10_000;
errors | 16 most recent keys | client/src/secrecy/redact.ts | const REMEMBERED = 16;
errors | shorter than 8 characters | internal/src/secrecy/redact.ts | const MIN_LENGTH = 8;
keep-a-copy | At most 100 messages | client/src/resources/messages-since.ts | const MESSAGES_LIMIT = 100;
keep-a-copy | begins two minutes before | client/src/resources/find-conversations.ts | const MARGIN = 2 * MINUTE;
keep-a-copy | for up to a day | client/src/resources/bulk.ts | const MAX_WAIT = 86_400_000;
keep-a-copy | overlap is an hour | client/src/resources/find-conversations.ts | const LOCAL_MARGIN = 60 * MINUTE;
keep-a-copy | again, up to four times, | client/src/resources/find-conversations.ts | const MAX_WALKS = 5;
leads | 20 failures without | client/src/resources/import-rows.ts | const MAX_FAILURES = 20;
logging | within 30 seconds | client/src/time/time-limit.ts | const MAX_LOOKUP = 30_000;
mock-server | 1,000 connections | mock/src/http/server-limits.ts | maxConnections: 1_000,
mock-server | 2,000 concurrent requests | mock/src/http/server-limits.ts | requests: 2_000,
mock-server | 64 MiB of bodies | mock/src/http/server-limits.ts | bodyBytes: 64 * MIB,
mock-server | after 10 minutes | mock/src/http/server-limits.ts | worldTtl: 600_000,
mock-server | allows 60 s for a request | mock/src/http/server-limits.ts | requestTimeout: 60_000,
mock-server | may take 30 seconds | mock/src/remote/connect-mock.ts | const TIMEOUT = 30_000;
mock-server | up to 1,000 worlds | mock/src/http/server-limits.ts | worlds: 1_000,
mock-server | up to 128 MiB | mock/src/cli/files.ts | text: '128 MiB'
mock-server | up to 256 KiB | mock/src/cli/data-file.ts | text: '256 KiB.
paging | ten times as many new rows | client/src/lists/walker.ts | const MAX_TURNOVERS = 10;
postgres-inbox | free for five seconds | webhooks/src/postgres/session.ts | const CONNECT_LIMIT_MS = 5_000;
probe | a tenth of the key | mock/src/upstream/probe/service.ts | const SHARE = 0.1;
probe | at most 80 requests | mock/src/cli/probe.ts | integerFlag(1), 80)
probe | more than ten minutes | mock/src/upstream/probe/service.ts | const MAX_WAIT = 10 * MINUTE;
queues-and-deduplication | 4.5 seconds | webhooks/src/redis/redis-dedupe-store.ts | const REDIS_LIMIT_MS = 4_500;
queues-and-deduplication | at most 250 ms | webhooks/src/dedupe/run-once.ts | const STORE_GRACE_MS = 250;
retries-and-rate-limits | (60 s) or the rest | client/src/options/resolve-options.ts | maxRetryAfter: 60_000,
retries-and-rate-limits | ends at 8 s | client/src/options/resolve-options.ts | maxDelay: 8_000,
retries-and-rate-limits | for an hour at most | client/src/rate-limit/window.ts | const MAX_PAUSE = 3_600_000;
retries-and-rate-limits | starts at 500 ms | client/src/options/resolve-options.ts | baseDelay: 500,
retries-and-rate-limits | up to 3 times | client/src/options/resolve-options.ts | limit: 3,
several-processes | within a second | client/src/redis/shared-window.ts | const STORE_TIMEOUT = 1_000;
signature-schemes | (300 by default) | webhooks/src/option-checks.ts | const DEFAULT_TOLERANCE = 300;
signature-schemes | longer than five seconds | webhooks/src/run-in-time.ts | const LIMIT_MS = 5_000;
testing | (16 MiB) | mock/src/world/create-world.ts | const MAX_LOG_BYTES = 16 * 1024 * 1024;
testing | At most 10 attempts | mock/src/world/webhooks/endpoints.ts | concurrency: 10,
testing | first 4,096 characters | mock/src/request/log-request.ts | const MAX_KEPT = 4_096;
testing | latest 10,000 requests | mock/src/world/log/request-log.ts | const MAX_REQUESTS = 10_000;
testing | within 10 s of real time | mock/src/world/webhooks/endpoints.ts | timeout: 10_000,
webhooks | at most 100 connections | webhooks/src/cli/listen.ts | const MAX_CONNECTIONS = 100;
webhooks | for one second at most | webhooks/src/adapters/lambda.ts | const ON_ERROR_LIMIT_MS = 1000;
`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

test.for(
  PROMISES.trim()
    .split('\n')
    .map((line) => line.split(' | ')),
)('the guide %s says "%s", in agreement with %s', ([guide, words, source, code]) => {
  expect(oneLine(read(`docs/guides/${guide}.md`))).toContain(words);
  expect(read(`packages/${source}`)).toContain(code);
});
