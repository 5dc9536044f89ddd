import * as z from 'zod/mini';

/** The most lines that one run may print: an endless loop must not fill the memory of the page. */
export const MAX_LINES = 1_000;

/** The most characters of a line, and of a path in the table of requests. */
export const MAX_CHARACTERS = 4_000;

/** The most mocks that the page shows, and how many requests and samples of each. */
export const MAX_MOCKS = 4;
export const MAX_ROWS = 200;
export const MAX_SAMPLES = 400;

/** The most milliseconds that a date can have, in both directions from 1970. */
const LAST_DATE = 8.64e15;

const text = () => z.string().check(z.maxLength(MAX_CHARACTERS + 1));

/** A request in the log of a mock, as the playground shows it. */
const RequestRowSchema = z.object({
  method: text(),
  path: text(),
  /** The operation; undefined when no operation has this method and path. */
  operation: z.optional(text()),
  /** The status of the response; undefined if there was none. */
  status: z.optional(z.number()),
  /** When the request arrived, in milliseconds since the mock was created, on its clock. */
  at: z.number(),
});

/** How full the rate-limit window was after a response. */
const WindowSampleSchema = z.object({
  /** Milliseconds since the mock was created, on its clock. */
  at: z.number(),
  used: z.number(),
});

/** The state of a mock. */
const MockStateSchema = z.object({
  /** The time of its clock, in milliseconds since 1970. */
  now: z.number().check(z.minimum(-LAST_DATE), z.maximum(LAST_DATE)),
  /** Milliseconds on its clock since it was created. */
  elapsed: z.number(),
  /** The requests that its own key may make in `perMs` milliseconds; undefined without a limit. */
  limit: z.optional(z.number()),
  perMs: z.number(),
  /** The requests in the window now. */
  used: z.number(),
  /** The number of all requests; `requests` has the latest. */
  total: z.number(),
  requests: z.array(RequestRowSchema).check(z.maxLength(MAX_ROWS)),
  samples: z.array(WindowSampleSchema).check(z.maxLength(MAX_SAMPLES)),
});

/** A line of output. */
const LineSchema = z.object({ level: z.enum(['log', 'warn', 'error']), text: text() });

/**
 * A message of a running program to the page. A hostile program can reach the port for these messages, and the page shows
 * them on the origin of the site. So the page parses each one: an object in place of a text could be a node of the page,
 * with markup in it.
 */
const RunnerMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('line'), line: LineSchema }),
  z.object({ type: z.literal('mocks'), mocks: z.array(MockStateSchema).check(z.maxLength(MAX_MOCKS)) }),
  /** The program has ended or failed, and nothing has happened for a moment. */
  z.object({ type: z.literal('finished'), failed: z.boolean() }),
]);

export type RequestRow = z.infer<typeof RequestRowSchema>;
export type WindowSample = z.infer<typeof WindowSampleSchema>;
export type MockState = z.infer<typeof MockStateSchema>;
export type Line = z.infer<typeof LineSchema>;
export type RunnerMessage = z.infer<typeof RunnerMessageSchema>;

/** Parses a message of a program. Returns undefined if the code of the playground would not send it. */
export const readMessage = (message: unknown): RunnerMessage | undefined =>
  RunnerMessageSchema.safeParse(message).data;
