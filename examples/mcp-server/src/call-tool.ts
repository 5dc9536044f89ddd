import type { Confab } from '@confab/client';
import { ConfabError } from '@confab/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolInput } from './input-schema.ts';
import type { Tool } from './tool.ts';

type Method = (...args: readonly unknown[]) => PromiseLike<unknown>;

/** Picks the fields that a schema of the contract has. */
const pick = (input: ToolInput, schema: { readonly shape: object } | undefined): ToolInput =>
  Object.fromEntries(Object.entries(input).filter(([name]) => schema !== undefined && name in schema.shape));

/** Calls the method of the client for an operation. The id of the operation is the path to the method. */
const call = async (
  confab: Confab,
  { operation }: Tool,
  input: ToolInput,
  signal: AbortSignal,
): Promise<unknown> => {
  const { id, params, query, body } = operation;
  const [resource = '', name = ''] = id.split('.');
  const methods = confab[resource as 'leads'] as unknown as Readonly<Record<string, Method>>;
  const sent = body ?? query;
  const args = [...Object.values(pick(input, params)), ...(sent === undefined ? [] : [pick(input, sent)])];
  return methods[name]?.(...args, { signal });
};

/** Turns a result into an object: a page without its method `next`, or another result in the field `data`, as in the API. */
const toStructured = (result: unknown): Record<string, unknown> =>
  typeof result === 'object' && result !== null && 'hasNext' in result
    ? JSON.parse(JSON.stringify(result))
    : { data: result };

/** Calls the API for an assistant. A failure is a result too, so that the assistant can read it and react. */
export const callTool = async (
  confab: Confab,
  tool: Tool,
  input: ToolInput,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  try {
    const result = toStructured(await call(confab, tool, input, signal));
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    if (!(error instanceof ConfabError)) {
      throw error;
    }
    // The client's errors never contain the key.
    return { content: [{ type: 'text', text: `${error.name}: ${error.message}` }], isError: true };
  }
};
