import type { Command } from './command.ts';
import type { Io } from './io.ts';
import { jsonLine } from './output/print-rows.ts';
import type { CommandInput } from './read-input.ts';

/** Prints the request that the command would send. */
export const dryRun = async (
  { operation }: Command,
  { params, query = {}, body }: CommandInput,
  { baseUrl, asJson }: { readonly baseUrl: string | undefined; readonly asJson: boolean },
  { out }: Io,
): Promise<void> => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const url = `${(baseUrl ?? '').replace(/\/+$/, '')}${path}${search && `?${search}`}`;
  const { method } = operation;
  const lines = asJson
    ? [jsonLine({ method, url, ...(body === undefined ? {} : { body }) })]
    : [jsonLine(`${method} ${url}`).slice(1, -1), ...(body === undefined ? [] : [jsonLine(body)])];
  await out.write(`${lines.join('\n')}\n`);
};
