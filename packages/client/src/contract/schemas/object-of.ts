import * as z from 'zod/mini';

/** The shape of a zod object that describes an interface, field by field. */
export type ObjectShape<T> = {
  [Name in keyof T]-?: undefined extends T[Name]
    ? z.ZodMiniOptional<z.ZodMiniType<Exclude<T[Name], undefined>, Exclude<T[Name], undefined>>>
    : z.ZodMiniType<T[Name], T[Name]>;
};

/** The schema of an interface: an object that may hold more fields. */
export interface ObjectSchema<T> extends z.ZodMiniObject<ObjectShape<T>, z.core.$strip> {}

/** The schema of an interface: an object that may not hold any other field. */
export interface StrictObjectSchema<T> extends z.ZodMiniObject<ObjectShape<T>, z.core.$strict> {}

type IsSame<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** Nothing to add to a shape that describes `T` exactly; for any other, a type that no shape has. */
type Exactly<T, Shape extends z.core.$ZodShape> =
  IsSame<z.output<z.ZodMiniObject<Shape>>, { [Name in keyof T]: T[Name] }> extends true
    ? unknown
    : { readonly 'the schema and its interface differ': never };

/** Makes the schema of an interface. It does not compile while the two differ, in either direction. */
// TypeScript infers either all type arguments or none, hence the two calls.
export const objectOf =
  <T>() =>
  <Shape extends z.core.$ZodShape>(shape: Shape & Exactly<T, Shape>): ObjectSchema<T> =>
    z.object(shape) as never;

/** {@link objectOf}, for requests: unknown fields are refused. */
export const strictObjectOf =
  <T>() =>
  <Shape extends z.core.$ZodShape>(shape: Shape & Exactly<T, Shape>): StrictObjectSchema<T> =>
    z.strictObject(shape) as never;
