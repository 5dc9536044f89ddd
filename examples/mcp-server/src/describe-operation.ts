import type { Operation } from '@confab/client/contract';
import document from '@confab/client/openapi.json' with { type: 'json' };

/** The fields of an object in the document that are read here. */
interface Described {
  readonly $ref?: string;
  readonly name?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Described[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Described }>> };
  readonly properties?: Readonly<Record<string, Described>>;
}

/** Follows a reference such as `#/components/schemas/Lead`. */
const resolve = (value: Described): Described =>
  value.$ref === undefined
    ? value
    : value.$ref
        .split('/')
        .slice(1)
        .reduce<object>((inner, key) => Reflect.get(inner, key), document);

/** Reads the descriptions of an operation and its input from the OpenAPI document. */
export const describeOperation = ({ path, method }: Operation) => {
  const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  const {
    summary = '',
    description = '',
    parameters = [],
    requestBody,
  } = paths[path]?.[method.toLowerCase()] ?? {};
  const body = resolve(requestBody?.content?.['application/json']?.schema ?? {});
  const fields = new Map<string, string>();
  for (const { name = '', description = '' } of parameters.map(resolve)) {
    fields.set(name, description);
  }
  for (const [name, { description = '' }] of Object.entries(body.properties ?? {})) {
    fields.set(name, description);
  }
  return { summary, description, fields };
};
