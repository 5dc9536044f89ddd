import { readJson } from '../../src/request/json.ts';
import { findRoute } from '../../src/request/route.ts';
import { Recorder } from '../../src/upstream/record/recorder.ts';

/**
 * Starts a recording without personal data, with a function that records an exchange. A body that is a text stays
 * unchanged.
 */
export const startRecorder = (options: { readonly maxCharacters?: number } = {}) => {
  const recorder = new Recorder({ keepPersonalData: false, ...options });
  const counts = new Map<string, number>();
  const record = (
    [method, path]: readonly [string, string],
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ) => {
    const route = findRoute(method, `/api/v2/public/${path.replace(/\?.*/, '')}`);
    const index = counts.get(route?.id ?? '') ?? 0;
    counts.set(route?.id ?? '', index + 1);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return recorder.add(
      { route, index, method },
      {
        ...{ kind: 'reply', status, headers: new Headers(headers) },
        ...{ bytes: new TextEncoder().encode(text), json: readJson(text) },
      },
    );
  };
  return { recorder, record };
};
