import { toHeaders } from '../engine/message.ts';

/** A header as it arrived. */
export type Pair = readonly [name: string, value: string];

/** Puts headers into one of the forms that frameworks use. */
export const headersAs = (form: string, headers: readonly Pair[]): unknown => {
  switch (form) {
    case 'raw':
      return headers.flat();
    case 'pairs':
      return headers.map((pair) => [...pair]);
    case 'record': {
      const names = new Set(headers.map(([name]) => name));
      return Object.fromEntries(
        [...names].map((name) => {
          const values = headers.filter(([given]) => given === name).map(([, value]) => value);
          return [name, values.length === 1 ? values[0] : values];
        }),
      );
    }
    default:
      return toHeaders({ headers });
  }
};

/** Lists the headers of any form. */
export const pairsOf = (headers: unknown): Pair[] => {
  if (headers instanceof Headers) {
    return [...headers];
  }
  if (!Array.isArray(headers)) {
    return Object.entries(headers as Record<string, string | string[]>).flatMap(([name, value]) =>
      [value].flat().map((item): Pair => [name, item]),
    );
  }
  return typeof headers[0] === 'string'
    ? Array.from({ length: headers.length / 2 }, (_, at): Pair => [headers[at * 2], headers[at * 2 + 1]])
    : (headers as Pair[]);
};

/** The values of a header. Only ASCII letters have a case, as in HTTP. */
export const valuesOf = (headers: readonly Pair[], name: string): string[] =>
  headers
    .filter(([given]) => given.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) === name)
    .map(([, value]) => value);
