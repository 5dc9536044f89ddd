import type { CollectionName } from '../../../../src/control/routes.ts';
import { routeTo } from '../../../../src/control/routes.ts';
import { readJson, send } from '../../api/call.ts';

interface JsonSchema {
  readonly $ref?: string;
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

interface Document {
  readonly paths: Readonly<Record<string, Creation>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The fields of a collection, from the OpenAPI document of the control endpoints. */
export const loadFields = async (collection: CollectionName): Promise<readonly RowField[]> => {
  const { paths, components } = await readJson<Document>(await send(routeTo('openapi').path));
  const body = paths[`/__mock/rows/${collection}`]?.post.requestBody.content['application/json']?.schema;
  const schema = components.schemas[body?.$ref?.split('/').at(-1) ?? ''];
  return Object.entries(schema?.properties ?? {}).map(([name, { type, anyOf }]) => ({
    name,
    nullable: Array.isArray(type) && type.includes('null'),
    required: schema?.required?.includes(name) ?? false,
    options: anyOf?.find((part) => part.enum !== undefined)?.enum,
  }));
};
