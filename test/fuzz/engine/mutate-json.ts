import type { Random } from './random.ts';

/** Values that parsers and checks often treat wrongly. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  9_007_199_254_740_992,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\ud800',
  '😀',
  'é'.repeat(40),
  [],
  {},
  [[]],
  [null],
  '2026-01-31T23:59:60Z',
  '00000000-0000-4000-8000-000000000000',
];

type Holder = Record<string | number, unknown>;

/** Lists the places of a document: an object or array, and a key of it. */
const placesOf = (document: unknown): [holder: Holder, key: string | number][] => {
  const places: [Holder, string | number][] = [];
  const waiting: unknown[] = [document];
  while (waiting.length > 0 && places.length < 2_000) {
    const value = waiting.pop();
    if (typeof value === 'object' && value !== null) {
      for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
        places.push([value as Holder, key]);
        waiting.push((value as Holder)[key]);
      }
    }
  }
  return places;
};

/** Adds a property. Not by assignment: a document may have a property `__proto__`. */
const define = (holder: Holder, key: string, value: unknown) => {
  if (Array.isArray(holder)) {
    holder.push(value);
  } else {
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  }
};

const KEYS = ['__proto__', 'constructor', 'toString', 'length', '', '0', 'then', 'toJSON'];

/** Changes one place of a JSON text; undefined if the text is not an object or array. */
export const mutateJson = (text: string, words: readonly string[], random: Random): string | undefined => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const places = placesOf(document);
  if (places.length === 0) {
    return undefined;
  }
  const [holder, key] = random.pick(places);
  const [other, otherKey] = random.pick(places);
  const value = random.below(3) === 0 && words.length > 0 ? random.pick(words) : random.pick(VALUES);
  switch (random.below(7)) {
    case 0:
      delete holder[key];
      break;
    case 1:
    case 2:
      holder[key] = value;
      break;
    case 3:
      holder[key] = structuredClone(other[otherKey]);
      break;
    case 4:
      define(
        holder,
        String(random.pick(random.below(2) === 0 && words.length > 0 ? words : KEYS)),
        structuredClone(value),
      );
      break;
    case 5:
      holder[key] = random.below(2) === 0 ? [holder[key]] : { [random.pick(KEYS)]: holder[key] };
      break;
    default:
      if (typeof holder[key] === 'number') {
        holder[key] = (holder[key] as number) + random.below(5) - 2;
      } else if (typeof holder[key] === 'string') {
        holder[key] = (holder[key] as string) + random.pick(['\u0000', ' ', 'x', '\ufeff', '.', '=']);
      } else if (Array.isArray(holder)) {
        holder.push(structuredClone(holder[key]));
      }
  }
  return JSON.stringify(document);
};
