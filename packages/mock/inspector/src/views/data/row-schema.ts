import type { CollectionName } from '../../../../src/control/routes.ts';
import { routeTo } from '../../../../src/control/routes.ts';
import { readJson, send } from '../../api/call.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** A field of the rows of a collection. */
export interface RowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly required: boolean;
  /** Known values; others are accepted too. */
  readonly options: readonly string[] | undefined;
}

/** The part of the document that describes how a row is created. */
interface Creation {
  readonly post: {
    readonly requestBody: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> };
  };
}

/** The fields of a collection, from the OpenAPI document of the control endpoints. */
export const loadFields = async (collection: CollectionName): Promise<readonly RowField[]> => {
  const { paths } = await readJson<{ paths: Readonly<Record<string, Creation>> }>(
    await send(routeTo('openapi').path),
  );
  const schema = paths[`/__mock/rows/${collection}`]?.post.requestBody.content['application/json']?.schema;
  return Object.entries(schema?.properties ?? {}).map(([name, { type, anyOf }]) => ({
    name,
    nullable: Array.isArray(type) && type.includes('null'),
    required: schema?.required?.includes(name) ?? false,
    options: anyOf?.find((part) => part.enum !== undefined)?.enum,
  }));
};
