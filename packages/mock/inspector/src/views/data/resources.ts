import { routeTo } from '../../../../src/control/routes.ts';
import { readJson, send } from '../../api/call.ts';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Named<JsonSchema>;
  readonly required?: readonly string[];
}

/** A field of the rows of a resource. */
export interface RowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly required: boolean;
  /** Known values; others are accepted too. */
  readonly options: readonly (readonly [value: string, label: string])[] | undefined;
}

/** A kind of row. */
export interface Resource {
  /** `leads`. */
  readonly name: string;
  /** The word for a row: `lead`. */
  readonly noun: string;
  /** The fields that the table shows; the first one is the name of a row. */
  readonly columns: readonly string[];
  /** The fields of a new row. */
  readonly fields: readonly RowField[];
}

type Named<T> = Readonly<Record<string, T>>;

/** The parts of the document that describe the resources, and how a row is created. */
interface Document {
  readonly tags: readonly { name: string; 'x-noun'?: string; 'x-columns'?: readonly string[] }[];
  readonly paths: Named<{ post: { requestBody: { content: Named<{ schema: JsonSchema }> } } }>;
  readonly components: { readonly schemas: Named<JsonSchema> };
}

const fieldsOf = ({ paths, components }: Document, name: string): readonly RowField[] => {
  const body = paths[`/__mock/rows/${name}`]?.post.requestBody.content['application/json']?.schema;
  const schema = components.schemas[body?.$ref?.split('/').at(-1) ?? ''];
  return Object.entries(schema?.properties ?? {}).map(([field, { type, anyOf }]) => ({
    name: field,
    nullable: Array.isArray(type) && type.includes('null'),
    required: schema?.required?.includes(field) ?? false,
    options: anyOf?.find((part) => part.enum)?.enum?.map((value) => [value, value]),
  }));
};

/** The resources of the mock, from the OpenAPI document of the control endpoints. */
export const loadResources = async (): Promise<readonly Resource[]> => {
  const document = await readJson<Document>(await send(routeTo('openapi').path));
  return document.tags.flatMap(({ name, 'x-noun': noun, 'x-columns': columns }) =>
    noun === undefined || columns === undefined
      ? []
      : [{ name, noun, columns, fields: fieldsOf(document, name) }],
  );
};

/** The name of a field as a label: `displayName` is “Display name”. */
export const labelOf = (field: string): string => {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\bllm\b/, 'LLM');
};

/** Whether the values of a field are moments. */
export const isMoment = (field: string): boolean => field.endsWith('At');
