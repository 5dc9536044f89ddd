import ts from 'typescript';
import * as z from 'zod/mini';
import { UNLIMITED } from '../../src/control/routes.ts';
import { RESOURCES } from '../../src/world/resources/resources.ts';
import { checker, descriptionOf } from './read-types.ts';

export type Json = Readonly<Record<string, unknown>>;

/**
 * The schemas that check rows, by the names of their types. Unlike the types, they tell ids and date-times from other
 * strings.
 */
const ROWS = new Map<string, z.ZodMiniObject>(
  Object.values(RESOURCES).map(({ noun, schema }) => [noun, schema]),
);

const rowSchema = (name = ''): z.ZodMiniObject | undefined =>
  ROWS.get(name.replace(/^Stored/, '').toLowerCase());

/** Fields with whole numbers, which the types cannot express. */
const INTEGERS = new Set(
  'atLeast atMost busy concurrency copies count limit offset seed skip status timeoutMs times total used'.split(
    ' ',
  ),
);

/** The name of an object type, if it has one, and the name of the row that it is, or whose fields it has. */
const namesOf = ({ aliasSymbol, aliasTypeArguments: [row] = [], symbol }: ts.Type) => {
  if (aliasSymbol?.name === 'MockFields' && row !== undefined) {
    return { name: `${row.symbol.name}Fields`, row: row.symbol.name };
  }
  const [, created] = /^(\w+)Init$/.exec(aliasSymbol?.name ?? '') ?? [];
  if (created !== undefined) {
    return { name: `${created}Init`, row: created };
  }
  const isNamed = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Interface) !== 0;
  // The remote type of an object has the name of the local one.
  return isNamed ? { name: symbol.name.replace(/^Remote/, ''), row: symbol.name } : {};
};

const isString = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.String) !== 0 || (type.isIntersection() && type.types.some(isString));

/** Combines schemas: a value or null in the format that generators read most easily. */
const anyOf = (schemas: readonly Json[]): Json => {
  const [first = {}, second] = schemas;
  if (second === undefined) {
    return first;
  }
  return schemas.length === 2 &&
    second.type === 'null' &&
    typeof first.type === 'string' &&
    first.enum === undefined
    ? { ...first, type: [first.type, 'null'] }
    : { anyOf: schemas };
};

/** The schema of a field of a row. */
const fieldSchema = (field: z.core.$ZodType): Json => {
  // The schema of the input: a date-time is stored in a different format, but both are strings.
  const { $schema: _, examples, ...json } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  // The field has known values, and accepts any other string too.
  if (examples) {
    return anyOf([{ ...json, enum: examples }, json]);
  }
  return Array.isArray(json.anyOf) ? anyOf(json.anyOf as Json[]) : json;
};

/**
 * Turns TypeScript types into JSON Schemas. Fields that JSON can't express, such as functions, are left out.
 *
 * @param path The path of `schemas` in the document: `#/components/schemas`.
 */
export const createSchemas = (path: string) => {
  const schemas: Record<string, Json> = {};

  const objectSchema = (type: ts.Type, row?: string): Json => {
    const values = checker.getIndexInfosOfType(type)[0]?.type;
    const shape = rowSchema(row)?.shape ?? {};
    const names = Object.keys(shape);
    const properties = checker
      .getPropertiesOfType(type)
      .map((property) => ({ property, value: checker.getTypeOfSymbol(property) }))
      .filter(({ value }) => value.getNonNullableType().getCallSignatures().length === 0);
    const required = properties.filter(
      ({ property, value }) =>
        (property.flags & ts.SymbolFlags.Optional) === 0 &&
        (value.flags & ts.TypeFlags.Unknown) === 0 &&
        !(value.isUnion() && value.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0)),
    );
    const described = properties.map(({ property, value }) => {
      const field = shape[property.name];
      const schema = field === undefined ? toSchema(value, property.name) : fieldSchema(field);
      return [property.name, { ...schema, description: descriptionOf(property) }] as const;
    });
    return {
      type: 'object',
      // In the order of the schema, which is that of the inspector's forms.
      properties: Object.fromEntries(described.toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b))),
      ...(required.length > 0 && { required: required.map(({ property }) => property.name) }),
      additionalProperties: values === undefined ? false : toSchema(values),
    };
  };

  const namedSchema = (type: ts.Type): Json => {
    const { name, row } = namesOf(type);
    if (name === undefined) {
      return objectSchema(type);
    }
    if (schemas[name] === undefined) {
      // Set first, because a type may contain itself.
      schemas[name] = {};
      const description = descriptionOf(type.aliasSymbol === undefined ? type.symbol : undefined);
      schemas[name] = { ...objectSchema(type, row), description };
    }
    return { $ref: `${path}/${name}` };
  };

  const singleSchema = (type: ts.Type): Json => {
    if ((type.flags & ts.TypeFlags.Null) !== 0) {
      return { type: 'null' };
    }
    if (isString(type)) {
      return { type: 'string' };
    }
    if ((type.flags & ts.TypeFlags.Number) !== 0) {
      return { type: 'number' };
    }
    if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) {
      return { const: checker.typeToString(type) === 'true' };
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item === undefined ? {} : toSchema(item) };
    }
    if ((type.flags & ts.TypeFlags.Unknown) !== 0) {
      return {};
    }
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) {
      throw new Error(`No JSON Schema for the type ${checker.typeToString(type)}.`);
    }
    return namedSchema(type);
  };

  /** @param name The name of the property that has the type. */
  const toSchema = (type: ts.Type, name = ''): Json => {
    const types = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => (flags & ts.TypeFlags.Undefined) === 0,
    );
    const words = types.filter((each) => each.isStringLiteral());
    const booleans = types.filter(({ flags }) => (flags & ts.TypeFlags.BooleanLiteral) !== 0);
    const others = types.filter((each) => !each.isStringLiteral() && !booleans.includes(each));
    const all: Json[] = [
      ...(words.length > 0 ? [{ type: 'string', enum: words.map(({ value }) => value) }] : []),
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map(singleSchema)),
      ...others.map(singleSchema),
    ];
    const number = all.findIndex((each) => each.type === 'number');
    if (number !== -1 && INTEGERS.has(name)) {
      all[number] = { type: 'integer' };
    }
    if (number !== -1 && UNLIMITED.includes(name)) {
      all.push({ type: 'null' });
    }
    // Null comes last.
    return anyOf(all.toSorted((a, b) => Number(a.type === 'null') - Number(b.type === 'null')));
  };

  return { schemas, toSchema };
};
