import type { CountryCode } from 'libphonenumber-js/max';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { ConflictError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { rowOf } from './support/list.ts';

/** What a service makes of a phone, whose account is in `country`. */
const normalize = (phone: string, country: CountryCode): string | undefined => {
  const parsed = parsePhoneNumberFromString(phone, { defaultCountry: country, extract: false });
  return parsed?.isPossible() === true ? parsed.number : undefined;
};

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** Ways to write a number with its country, all of which have to be found. */
const international = (grouped: string, e164: string): string[] => [
  e164,
  grouped,
  ...['.', '-', '\u2010', '\u2011', '\u00a0', '/'].map((mark) => grouped.replaceAll(' ', mark)),
  grouped.replace(/ (.*)$/, ' ($1)'),
  `\u202a${grouped}\u202c`,
  ` ${e164} `,
];

/** Ways to write one that only the service can read: without its country, with an extension or with a zero too many. */
const others = (code: string, grouped: string, national: string): string[] => [
  ...[' ext. 42', ' x42', ' #42', ', ext 42', ';ext=42', ' доб. 42'].map((extension) => grouped + extension),
  grouped.replace(/ /, '0'),
  grouped.replace(' ', ' (0)'),
  `+${fullWidth(grouped.slice(1))}`,
  grouped.slice(1),
  grouped.slice(1).replaceAll(' ', ''),
  `00 ${grouped.slice(1)}`,
  `00${grouped.slice(1).replaceAll(' ', '')}`,
  `011 ${grouped.slice(1)}`,
  fullWidth(grouped),
  national,
  national.replaceAll(/\D/g, ''),
  national.replaceAll(/\D/g, '').replace(/^0/, ''),
  `0${national}`,
  `00${national}`,
  `+${national}`,
  `(${code}) ${national}`,
  national.replaceAll(/\D/g, '').slice(-7),
];

let stored: readonly string[] = [];

/** A service with the leads of `stored`, one of which has the phone that is to be created. */
const { leads } = clientWith({
  fetch: async (url, { method }) => {
    if (method === 'POST') {
      return Response.json({ success: false, error: 'exists', code: 'EXISTS' }, { status: 409 });
    }
    const search = new URL(url).searchParams.get('search') ?? '';
    const data = stored
      .filter((phone) => phone.includes(search))
      .map((phone, index) => rowOf(index, { phone }));
    return Response.json({ success: true, data, meta: { total: data.length, limit: 100, offset: 0 } });
  },
});

/** The phone of the lead that is found; undefined for a conflict. */
const found = async (phone: string, phones: readonly string[]): Promise<string | null | undefined> => {
  stored = phones;
  try {
    return (await leads.ensure({ phone })).lead.phone;
  } catch (error) {
    expect(error).toBeInstanceOf(ConflictError);
    return undefined;
  }
};

const CODES = ['1', '7', '39', '44', '49', '52', '54', '55', '81', '82', '229', '241', '852'];

/** Leads whose phones look like what was typed, as far as a service can have stored them. */
const lookalikes = (phone: string, truth: string): string[] => {
  const digits = phone.normalize('NFKC').replaceAll(/\D/g, '');
  const bare = digits.replace(/^0+/, '');
  const guesses = [digits, bare, ...CODES.flatMap((code) => [code + digits, code + bare])].flatMap((each) => [
    each,
    each.replace(/^(..)0/, '$1'),
    each.replace(/^(...)0/, '$1'),
    each.slice(1),
    each.slice(2),
  ]);
  return [...new Set(guesses)]
    .map((each) => `+${each}`)
    .filter((each) => each !== truth && normalize(each, 'US') === each);
};

const numbers = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  return example === undefined ? [] : [{ country, example }];
});

test('a phone in E.164 is found in every country, with any punctuation, whoever looks like it', {
  timeout: 300_000,
}, async () => {
  const missed: string[] = [];
  let checked = 0;
  for (const { country, example } of numbers) {
    for (const phone of international(example.formatInternational(), example.number)) {
      const truth = normalize(phone, country);
      if (truth === undefined) {
        continue;
      }
      checked += 1;
      const answer = await found(phone, [...lookalikes(phone, truth), truth]);
      if (answer !== truth) {
        missed.push(`${country} ${phone}: ${truth}, not ${answer}`);
      }
    }
  }
  expect(missed).toEqual([]);
  expect(checked).toBeGreaterThan(2_000);
});

test('a phone in any other form never returns another person’s lead, whatever country the account is in', {
  timeout: 300_000,
}, async () => {
  const wrong: string[] = [];
  let checked = 0;
  const accounts = getCountries();
  for (const { country, example } of numbers) {
    const code = `${example.countryCallingCode}`;
    for (const phone of others(code, example.formatInternational(), example.formatNational())) {
      // Its own country, one with unusual prefixes, and any.
      const unusual = (['BR', 'KR', 'JP', 'US'] as const)[checked % 4]!;
      for (const account of [country, unusual, accounts[(checked * 7) % accounts.length]!]) {
        const truth = normalize(phone, account);
        if (truth === undefined) {
          continue;
        }
        checked += 1;
        const plain = await found(phone, [truth]);
        const crowded = await found(phone, [...lookalikes(phone, truth), truth]);
        for (const answer of [plain, crowded]) {
          if (answer !== truth && answer !== undefined) {
            wrong.push(`${account} ${phone}: ${truth}, not ${answer}`);
          }
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(3_000);
});
