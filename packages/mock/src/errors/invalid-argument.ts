import { MockError } from './mock-error.ts';

/** The error for an invalid option or argument; its message says which, what was given, and what is valid. */
export const invalidArgument = (message: string): MockError => new MockError('INVALID_ARGUMENT', message);
