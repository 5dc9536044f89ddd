import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'vitest';

export { assert, fc };

/** Seconds for each target, set by `pnpm test:fuzz`. By default, a few inputs show that a target still works. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0);

/** The most milliseconds that a parser may take for an input. */
const SLOW_MS = 400;

/** Milliseconds after which a promise is considered never to settle. */
const NEVER_MS = 5_000;

/**
 * Defines a target: a parser, the inputs that it is tried with, and what must hold for each of them.
 *
 * @param title What the target checks.
 * @param check Throws if a property does not hold.
 * @param examples Inputs that every run tries first: they have failed before, or a specification names them.
 */
export const fuzz = <Input>(
  title: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => unknown,
  examples: readonly Input[] = [],
): void => {
  test(title, { timeout: (SECONDS + 120) * 1_000 }, async () => {
    let tried = 0;
    const checkInTime = async (input: Input): Promise<void> => {
      tried += 1;
      // A busy machine is slow once; a regular expression that backtracks is slow every time.
      for (let time = 0; time < 4; time += 1) {
        const startedAt = performance.now();
        await check(input);
        if (performance.now() - startedAt <= SLOW_MS) {
          return;
        }
      }
      assert.fail(`takes more than ${SLOW_MS} ms, every time`);
    };
    await fc.assert(fc.asyncProperty(inputs, checkInTime), {
      numRuns: SECONDS === 0 ? 200 : Number.MAX_SAFE_INTEGER,
      // Inputs that never settle shrink slowly.
      interruptAfterTimeLimit: (SECONDS || 60) * 1_000,
      timeout: NEVER_MS,
      path: process.env.FUZZ_PATH ?? '',
      examples: examples.map((example): [Input] => [example]),
    });
    if (SECONDS > 0) {
      console.log(`${title}: ${tried.toLocaleString('en')} inputs`);
    }
  });
};

const ASCII = fc.string({ unit: 'binary-ascii', maxLength: 3 });
// Creating the unit `binary` of fast-check takes four seconds.
const codePoint = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
const UNICODE = fc.string({ unit: codePoint, maxLength: 3 });

const JSON_VALUE = fc.jsonValue({ maxDepth: 1 });

const HOSTILE = ['\u0000', '\u007f', '\u001b[2J', '\u202e', '\u2028', '\ufeff', '\uff0b', '__proto__'];

/** Texts that break parsers, and the tokens of the target: alone, or repeated up to `maxTimes` times. */
export const piece = (tokens: readonly string[], maxTimes = 40): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('', ...tokens) },
    { weight: 2, arbitrary: ASCII },
    { weight: 1, arbitrary: UNICODE },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(' ', ...tokens), fc.nat(maxTimes))
        .map(([token, times]) => token.repeat(times)),
    },
  );

/** The examples, with parts cut out and pieces put in. */
export const nearText = (examples: readonly string[], pieces: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...examples),
      fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.array(pieces, { maxLength: 2 })), { maxLength: 4 }),
    )
    .map(([example, edits]) =>
      edits
        .reduce(
          (characters, [place, cut, put]) =>
            characters.toSpliced(place % (characters.length + 1), cut, ...put),
          [...example],
        )
        .join(''),
    );

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** A value that cannot be converted to a string. */
export const UNPRINTABLE = { toString: 'x', valueOf: 'x', toJSON: 'x', length: 1 };

const VALUES = [
  ...[null, true, '', 0, -1, 0.5, 1e21, 2 ** 53, [], {}, [[]], nested(150), 'x'.repeat(2_500)],
  ...[UNPRINTABLE, [UNPRINTABLE]],
];

type Place = readonly [parent: object, name: string];

/** Finds the places of all values in a value. */
const placesIn = (parent: object): Place[] =>
  Object.entries(parent).flatMap(([name, value]): Place[] => [
    [parent, name],
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ]);

/** Sets a property, even `__proto__`, as JSON can. */
const put = (parent: object, name: string, value: unknown): void => {
  Object.defineProperty(parent, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
};

/** The examples, with values replaced, removed, added or copied. */
export const nearJson = (examples: readonly unknown[], tokens: readonly string[]): fc.Arbitrary<unknown> => {
  const value = fc.oneof(fc.constantFrom<unknown>(...VALUES), piece(tokens), JSON_VALUE);
  const edit = fc.record({
    place: fc.nat(),
    from: fc.nat(),
    how: fc.constantFrom('replace', 'remove', 'add', 'copy'),
    name: piece(tokens, 2),
    value,
  });
  return fc.tuple(fc.constantFrom(...examples), fc.array(edit, { maxLength: 3 })).map(([example, edits]) => {
    const whole = { value: structuredClone(example) };
    for (const { place, from, how, name, value } of edits) {
      const places = placesIn(whole);
      const [parent, key] = places[place % places.length] ?? [whole, 'value'];
      const [otherParent, otherKey] = places[from % places.length] ?? [whole, 'value'];
      const given: unknown = Reflect.get(parent, key);
      if (how === 'remove') {
        Array.isArray(parent) ? parent.splice(Number(key), 1) : Reflect.deleteProperty(parent, key);
      } else if (how === 'add' && typeof given === 'object' && given !== null) {
        put(given, Array.isArray(given) ? `${given.length}` : name, structuredClone(value));
      } else {
        put(parent, key, structuredClone(how === 'copy' ? Reflect.get(otherParent, otherKey) : value));
      }
    }
    return whole.value;
  });
};

/** The text of the examples as JSON, with changes. Some of it is no longer JSON. */
export const nearJsonText = (examples: readonly unknown[], tokens: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: nearJson(examples, tokens).map((value) => JSON.stringify(value) ?? '') },
    {
      weight: 1,
      arbitrary: nearText(
        examples.map((value) => JSON.stringify(value)),
        piece(tokens),
      ),
    },
  );

/** Checks a message for a terminal or a log: it has one line, is not too long, and contains no secret. */
export const checkMessage = (text: string, secrets: readonly string[] = [], maxLength = 3_000): void => {
  assert.ok(text !== '' && text.length < maxLength, `a message of ${text.length} characters`);
  assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u, 'the message is not one plain line');
  checkHidden(text, secrets);
};

export const checkHidden = (text: string, secrets: readonly string[]): void => {
  for (const secret of secrets) {
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `the secret ${secret} is in ${text}`);
  }
};

/** Checks that two values are the same JSON, in the same order. */
export const same = (given: unknown, wanted: unknown, message: string): void =>
  assert.equal(JSON.stringify(given), JSON.stringify(wanted), message);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON; returns undefined for other texts. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
