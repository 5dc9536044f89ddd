/** A known value is typed and completed by the editor; a value that the API adds later is a string like any other. */
export type OpenEnum<Known extends string> = Known | (string & {});
