import type { Redact } from './redact.ts';

/** Returns response headers as plain data: names in lower case, without cookies and without the key. */
export const safeHeaders = (headers: Headers, redact: Redact): Readonly<Record<string, string>> => {
  const safe: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') {
      safe[redact(name)] = redact(value);
    }
  });
  return safe;
};
