import type { PersonalKind, PersonalValues } from './personal-values.ts';
import { canonical } from './personal-values.ts';

const padded = (at: number): string => String(at).padStart(4, '0');

/** Numbers in each area that are reserved for fiction: 555-0100 to 555-0199. */
const PER_AREA = 100;

/** The area codes of North America: three digits, the first from 2, the second up to 8, and not ending with 11. */
const AREAS = Array.from({ length: 800 }, (_, at) => String(200 + at)).filter(
  (code) => !/^.9|11$/.test(code),
);

const phone = (at: number): string => {
  // After some 70,000 phones, those of the next exchange follow, which are valid but not reserved.
  const round = Math.floor(at / (AREAS.length * PER_AREA));
  const area = AREAS[Math.floor(at / PER_AREA) % AREAS.length] ?? '202';
  return `+1${area}${String(555 + round)}${String(100 + (at % PER_AREA)).padStart(4, '0')}`;
};

/** Valid values of each kind that belong to no one. They are numbered, because a digest of a phone can be reversed. */
const MAKERS: Readonly<Record<PersonalKind, (at: number) => string>> = {
  phone,
  person: (at) => `Person ${padded(at + 1)}`,
  email: (at) => `person-${padded(at + 1)}@example.com`,
  text: (at) => `Text ${padded(at + 1)}`,
  // Of fields such as the source of a lead, by which programs filter.
  word: (at) => `word-${padded(at + 1)}`,
  code: (at) => `CODE_${padded(at + 1)}`,
};

/** Replaces personal values: equal ones by the same stand-in, different ones by different stand-ins. */
export class StandIns {
  readonly #given = new Map<string, string>();
  readonly #next: Record<PersonalKind, number> = { phone: 0, person: 0, email: 0, text: 0, word: 0, code: 0 };
  readonly #real: Pick<PersonalValues, 'has'>;

  /** @param real The real values, none of which becomes the stand-in of another. */
  constructor(real: Pick<PersonalValues, 'has'>) {
    this.#real = real;
  }

  /** The stand-in of a value. The empty string is its own, because it says nothing. */
  of(kind: PersonalKind, value: string): string {
    if (value === '') {
      return value;
    }
    const key = `${kind} ${canonical(kind, value)}`;
    const given = this.#given.get(key) ?? this.#make(kind);
    this.#given.set(key, given);
    return given;
  }

  #make(kind: PersonalKind): string {
    for (;;) {
      const made = MAKERS[kind](this.#next[kind]);
      this.#next[kind] += 1;
      if (!this.#real.has(made)) {
        return made;
      }
    }
  }
}
