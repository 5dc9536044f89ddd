/** Adds the body of a response to an error. Loggers skip it because it is not enumerable: it may hold personal data. */
export const addBody = (error: object, body: string | undefined): void => {
  Object.defineProperty(error, 'body', { value: body });
};
