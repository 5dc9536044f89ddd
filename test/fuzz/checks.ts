import assert from 'node:assert/strict';

/** Checks a message that a terminal or a log shows: one line, not too long, without the secrets. */
export const checkMessage = (text: string, secrets: readonly string[] = [], most = 3_000): void => {
  assert.ok(text !== '' && text.length < most, `a message of ${text.length} characters`);
  assert.doesNotMatch(text, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u, 'the message is not one plain line');
  checkHidden(text, secrets);
};

export const checkHidden = (text: string, secrets: readonly string[]): void => {
  for (const secret of secrets) {
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), `the secret ${secret} is in ${text}`);
  }
};

/** Checks that both are the same JSON, in the same order. */
export const same = (given: unknown, wanted: unknown, message: string): void =>
  assert.equal(JSON.stringify(given), JSON.stringify(wanted), message);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a text means as JSON; undefined for other texts. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
