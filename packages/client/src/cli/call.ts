import type { Confab } from '../client.ts';
import type { ListIterator } from '../pagination/leavable.ts';
import type { Page } from '../pagination/page.ts';
import type { PageWithProgress } from '../pagination/paginated.ts';
import type { Command } from './command.ts';
import type { Io } from './io.ts';
import { createRowPrinter, jsonLine } from './output/print-rows.ts';
import { recordLines } from './output/record.ts';
import type { CommandInput } from './read-input.ts';
import type { Shape } from './shapes/shape.ts';

type Row = Readonly<Record<string, unknown>>;

/** A paged list of any resource. */
interface AnyList extends PromiseLike<Page<Row>> {
  pages(): ListIterator<PageWithProgress<Row>>;
}

/** How to print a result. */
export interface Format {
  readonly asJson: boolean;
  /** Whether to read every page of a list. */
  readonly all: boolean;
}

/** The method of the client for an operation, whose id is its path: `leads.create`. */
const startCall = (confab: Confab, { id }: Command, { params, query, body }: CommandInput): unknown => {
  const [resource = '', method = ''] = id.split('.');
  const owner = confab[resource as 'leads'] as unknown as Record<string, (...args: unknown[]) => unknown>;
  const input = body ?? query;
  return owner[method]?.(...Object.values(params), ...(input === undefined ? [] : [input]));
};

const count = (rows: number): string => `${rows.toLocaleString('en-US')} row${rows === 1 ? '' : 's'}`;

const printHidden = async (hidden: readonly string[], { err }: Io): Promise<void> => {
  if (hidden.length > 0) {
    await err.write(`Not shown: ${hidden.join(', ')}. Use a wider terminal, or --json.\n`);
  }
};

const printAll = async (list: AnyList, shape: Shape, { asJson }: Format, io: Io): Promise<void> => {
  const { out, err } = io;
  const printer = createRowPrinter(shape, asJson, out);
  // On a terminal, the rows themselves show the progress.
  const shows = err.isTerminal && !out.isTerminal;
  let started = false;
  try {
    for await (const { data, progress } of list.pages()) {
      await printer.print(data);
      if (shows) {
        const of = progress.total === undefined ? '' : ` of ${progress.total.toLocaleString('en-US')}`;
        await err.write(`\r\u001b[K${count(progress.rows)}${of}`);
        started = true;
      }
    }
  } finally {
    // Also before the message of an error.
    if (started) {
      await err.write('\n');
    }
  }
  await printHidden(printer.hidden(), io);
};

const printPage = async (list: AnyList, shape: Shape, { asJson }: Format, io: Io): Promise<void> => {
  const { data, meta, hasNext } = await list;
  const printer = createRowPrinter(shape, asJson, io.out);
  await printer.print(data);
  // A file or a pipe that has every row needs no comment.
  if (asJson && !hasNext) {
    return;
  }
  await printHidden(printer.hidden(), io);
  const next = hasNext ? ` Continue with --offset ${meta.offset + data.length}, or pass --all.` : '';
  await io.err.write(`${count(data.length)} of ${meta.total.toLocaleString('en-US')}.${next}\n`);
};

/** Calls an operation, and prints its result. */
export const call = async (
  confab: Confab,
  command: Command,
  input: CommandInput,
  format: Format,
  io: Io,
): Promise<void> => {
  const { data: shape } = command.shapes.response.properties ?? {};
  if (shape === undefined) {
    throw new TypeError(`The response of ${command.id} has no data.`);
  }
  const started = startCall(confab, command, input);
  if (command.paged && shape.items) {
    await (format.all ? printAll : printPage)(started as AnyList, shape.items, format, io);
    return;
  }
  const data = await started;
  if (shape.items && Array.isArray(data)) {
    const printer = createRowPrinter(shape.items, format.asJson, io.out);
    await printer.print(data);
    await printHidden(printer.hidden(), io);
    return;
  }
  const lines = format.asJson ? [jsonLine(data)] : recordLines(data, shape, io.out);
  await io.out.write(`${lines.join('\n')}\n`);
};
