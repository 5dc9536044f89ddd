import type { CollectionName } from '../../../../src/control/routes.ts';
import { routeTo } from '../../../../src/control/routes.ts';
import { authorization, CallError, checkAccess } from '../../api/call.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

/** A field of the rows of a collection. */
export interface RowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly required: boolean;
  /** Known values; others are accepted too. */
  readonly options: readonly string[] | undefined;
}

interface ControlDocument {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: {
              readonly 'application/json': {
                readonly schema: {
                  readonly properties: Readonly<Record<string, JsonSchema>>;
                  readonly required?: readonly string[];
                };
              };
            };
          };
        };
      }
    >
  >;
}

/** The fields of a collection, from the OpenAPI document of the control endpoints. */
export const loadFields = async (collection: CollectionName): Promise<readonly RowField[]> => {
  const response = await fetch(new URL(routeTo('openapi').path, document.baseURI), {
    headers: authorization(),
  });
  checkAccess(response);
  if (!response.ok) {
    throw new CallError(`The description of the rows could not be loaded: ${response.status}.`);
  }
  const { paths } = (await response.json()) as ControlDocument;
  const schema = paths[`/__mock/rows/${collection}`]?.post.requestBody.content['application/json'].schema;
  return Object.entries(schema?.properties ?? {}).map(([name, { type, anyOf }]) => ({
    name,
    nullable: Array.isArray(type) && type.includes('null'),
    required: schema?.required?.includes(name) ?? false,
    options: anyOf?.find((part) => part.enum !== undefined)?.enum,
  }));
};
