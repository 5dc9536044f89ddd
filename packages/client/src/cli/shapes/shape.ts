/**
 * What a value must look like: the part of JSON Schema that the contract uses. The client checks its requests and
 * responses by it, because zod would be a quarter of its bundle.
 */
export interface Shape {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  /** The value may also be null. */
  readonly nullable?: true;
  readonly format?: 'uuid' | 'date-time';
  readonly enum?: readonly string[];
  readonly const?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The shape of each item of an array. */
  readonly items?: Shape;
  /** The shape of each field of an object. */
  readonly properties?: Readonly<Record<string, Shape>>;
  /** Fields that may be left out. */
  readonly optional?: readonly string[];
  /** True when there must not be other fields. */
  readonly closed?: true;
}

/** The shapes of what an operation sends and receives. */
export interface OperationShapes {
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  readonly response: Shape;
}
