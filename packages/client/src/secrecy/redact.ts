import { createRedact } from '@confab/internal';

/**
 * Removes the API key from untrusted text. {@link createRedact} creates such functions. The type is defined again here,
 * because published declarations must not refer to the internal package.
 *
 * @param maxLength Maximum length of the result, which also bounds the work.
 * @param isCut Whether the text is the beginning of a longer one. Its end is then dropped, because it may be part of a key.
 */
export type Redact = (text: string, maxLength?: number, isCut?: boolean) => string;

/** Number of latest keys to redact: a response may quote the key of an earlier request. */
const REMEMBERED = 16;

/** Redacts the latest keys of a client whose key changes. */
interface KeyMemory {
  readonly redact: Redact;
  /** Remembers a key. The returned function redacts it and the latest keys, even if it is no longer among them. */
  remember(secret: string): Redact;
}

export const createKeyMemory = (): KeyMemory => {
  let latest: readonly string[] = [];
  let redactLatest = createRedact(latest);
  return {
    redact: (...text) => redactLatest(...text),
    remember(secret) {
      if (!latest.includes(secret)) {
        latest = [secret, ...latest].slice(0, REMEMBERED);
        redactLatest = createRedact(latest);
      }
      return (...text) =>
        (latest.includes(secret) ? redactLatest : createRedact([secret, ...latest]))(...text);
    },
  };
};
