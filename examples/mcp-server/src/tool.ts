import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { describeOperation } from './describe-operation.ts';
import type { ToolInput } from './input-schema.ts';
import { inputSchema } from './input-schema.ts';

/** An operation of the API as a tool. */
export interface Tool {
  /** `leads_list`: assistants accept no dots. */
  readonly name: string;
  readonly operation: Operation & { readonly id: OperationId };
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON<ToolInput>;
  readonly annotations: ToolAnnotations & { readonly readOnlyHint: boolean };
}

const createTool = (operation: Tool['operation']): Tool => {
  const { id, method, idempotent } = operation;
  const { summary, description, fields } = describeOperation(operation);
  return {
    name: id.replace('.', '_'),
    operation,
    title: summary,
    description,
    inputSchema: inputSchema(operation, fields),
    annotations: {
      title: summary,
      readOnlyHint: method === 'GET',
      // A PATCH replaces values, which cannot be restored. A POST only adds a row.
      destructiveHint: method !== 'GET' && method !== 'POST',
      idempotentHint: idempotent,
      openWorldHint: true,
    },
  };
};

/** One tool per operation of the contract. */
export const tools: readonly Tool[] = Object.values(operations).map(createTool);
