import type { Operation } from '@confab/client/contract';
import { describeIssues } from '@confab/client/contract';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

/** The arguments of a tool: the path parameters, the query and the body in one object. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Creates the schema of the arguments from those of the contract. Its JSON Schema describes each field to an assistant. */
export const inputSchema = (
  { params, query, body }: Operation,
  descriptions: ReadonlyMap<string, string>,
): StandardSchemaWithJSON<ToolInput> => {
  const schema = z.strictObject({ ...params?.shape, ...query?.shape, ...body?.shape });
  const toJson = (): Record<string, unknown> => {
    const json = z.toJSONSchema(schema, { io: 'input' });
    const properties = Object.entries(json.properties ?? {}).map(([name, property]) => [
      name,
      { ...Object(property), description: descriptions.get(name) },
    ]);
    return { ...json, properties: Object.fromEntries(properties) };
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'confab',
      validate(value) {
        const { success, data, error } = z.safeParse(schema, value);
        return success
          ? { value: data }
          : {
              issues: describeIssues(error, value).map(({ path, message }) => ({
                path: path === '' ? [] : [path],
                message: `${path} ${message}`.trim(),
              })),
            };
      },
      jsonSchema: { input: toJson, output: toJson },
    },
  };
};
