import type { OperationId } from '../contract/index.ts';
import type { Confab, Paginated } from '../index.ts';
import { InvalidResponseError } from '../index.ts';
import type { ApiCommand } from './commands.ts';
import type { DryRequest } from './connect.ts';
import type { Io } from './io.ts';
import { createRowPrinter, formatNumber, formatRowCount, jsonLine, printRecord } from './print.ts';
import type { Input } from './read-input.ts';
import type { Row } from './table.ts';
import { formatCell } from './table.ts';

/** A list with pages, of any resource. */
type AnyList = Paginated<{ readonly id: string }>;

export interface Format {
  readonly asJson: boolean;
  /** Whether to read every page of a list. */
  readonly all: boolean;
}

/** Calls the method of the client for an operation, whose id is its path: `leads.create`. */
export const startCall = (confab: Confab, { id }: ApiCommand, { params, query, body }: Input): unknown => {
  const [resource = '', method = ''] = id.split('.');
  const owner = confab[resource as 'leads'] as unknown as Record<string, (...args: unknown[]) => unknown>;
  const input = body ?? query;
  return owner[method]?.(...Object.values(params), ...(input === undefined ? [] : [input]));
};

/** Maximum number of hidden columns to name. */
const MAX_HIDDEN = 20;

const printHidden = async (hidden: readonly string[], { err }: Io): Promise<void> => {
  if (hidden.length > 0) {
    const names = hidden.slice(0, MAX_HIDDEN).map(formatCell).join(', ');
    const more = hidden.length - MAX_HIDDEN;
    const others = more > 0 ? ` and ${formatNumber(more)} more` : '';
    await err.write(`Not shown: ${names}${others}. Use a wider terminal, or --json.\n`);
  }
};

const printRows = async (rows: readonly Row[], asJson: boolean, io: Io): Promise<void> => {
  const printer = createRowPrinter(asJson, io.out);
  await printer.print(rows);
  await printHidden(printer.hidden(), io);
};

const printAll = async (list: AnyList, asJson: boolean, io: Io): Promise<void> => {
  const { out, err } = io;
  const printer = createRowPrinter(asJson, out);
  // On a terminal, the rows themselves show the progress.
  const showsProgress = err.isTerminal && !out.isTerminal;
  let started = false;
  try {
    for await (const { data, progress } of list.pages()) {
      await printer.print(data);
      if (showsProgress) {
        const of = progress.total === undefined ? '' : ` of ${formatNumber(progress.total)}`;
        await err.write(`\r\u001b[K${formatRowCount(progress.rows)}${of}`);
        started = true;
      }
    }
  } finally {
    // If the call fails, the error message needs a new line too.
    if (started) {
      await err.write('\n');
    }
  }
  await printHidden(printer.hidden(), io);
};

const printPage = async (list: AnyList, asJson: boolean, io: Io): Promise<void> => {
  const { data, meta, hasNext } = await list;
  await printRows(data, asJson, io);
  // A file or a pipe with every row needs no note.
  if (!asJson || hasNext) {
    const end = meta.offset + data.length;
    const may = end < meta.total ? '' : 'There may be more. ';
    const next = hasNext ? ` ${may}Continue with --offset ${end}, or pass --all.` : '';
    await io.err.write(`${formatRowCount(data.length)} of ${formatNumber(meta.total)}.${next}\n`);
  }
};

const printResult = async (
  started: unknown,
  { paged }: ApiCommand,
  { asJson, all }: Format,
  io: Io,
): Promise<void> => {
  if (paged) {
    await (all ? printAll : printPage)(started as AnyList, asJson, io);
    return;
  }
  const data = await started;
  if (Array.isArray(data)) {
    await printRows(data, asJson, io);
  } else if (asJson) {
    await io.out.write(`${jsonLine(data)}\n`);
  } else {
    await printRecord(data, io.out);
  }
};

/**
 * Calls an operation, and prints its result.
 *
 * @throws An {@link InvalidResponseError} when the data is nested too deeply to be printed.
 */
export const call = async (
  confab: Confab,
  command: ApiCommand,
  input: Input,
  format: Format,
  io: Io,
): Promise<void> => {
  try {
    await printResult(startCall(confab, command, input), command, format, io);
  } catch (error) {
    // A stack overflow, in `JSON.stringify` for example, throws a `RangeError`.
    if (error instanceof RangeError) {
      const operation = command.operation.id as OperationId;
      const message = `${operation} returned data that is nested too deeply to be printed.`;
      throw new InvalidResponseError(message, { operation, status: 200, cause: error });
    }
    throw error;
  }
};

/** Prints requests that were not sent. */
export const printRequests = async (
  requests: readonly DryRequest[],
  asJson: boolean,
  { out }: Io,
): Promise<void> => {
  for (const { method, url, body } of requests) {
    const lines = asJson
      ? [jsonLine({ method, url, body })]
      : [`${method} ${url}`, ...(body ? [jsonLine(body)] : [])];
    await out.write(`${lines.join('\n')}\n`);
  }
};
