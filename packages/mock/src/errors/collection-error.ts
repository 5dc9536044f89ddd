import { MockError } from './mock-error.ts';

/**
 * Thrown when a row can't be stored as given, or a query names an unknown field.
 *
 * @example
 * ```ts
 * mock.leads.create({ phone: '123' }); // throws CollectionError
 * ```
 */
export class CollectionError extends MockError {
  /** The name of the class. */
  override readonly name = 'CollectionError';
  override readonly code = 'INVALID_ROW';

  /** @internal */
  constructor(message: string) {
    super('INVALID_ROW', message);
  }
}
