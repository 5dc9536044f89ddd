import type { CountryCode } from 'libphonenumber-js/max';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { clientOf } from './support/lead-service.ts';
import { rowOf } from './support/list.ts';

/** What a service makes of a phone, whose account is in `country`. */
const normalize = (phone: string, country: CountryCode): string | undefined => {
  const parsed = parsePhoneNumberFromString(phone, { defaultCountry: country, extract: false });
  return parsed?.isPossible() === true ? parsed.number : undefined;
};

const numbers = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  return example === undefined ? [] : [{ country, example }];
});

const moved = (text: string, characters: RegExp, by: number) =>
  text.replace(characters, (character) => String.fromCharCode(character.charCodeAt(0) + by));

/** Ways to write a number with its country. `grouped` is `+44 20 7946 0958`. */
const SPELLINGS: Record<string, (grouped: string) => string> = {
  grouped: (grouped) => grouped,
  'in E.164': (grouped) => grouped.replaceAll(' ', ''),
  'with brackets': (grouped) => grouped.replace(/ (.*)$/, ' ($1)'),
  'with 00': (grouped) => grouped.replace('+', '00 '),
  'with (0)': (grouped) => grouped.replace(' ', ' (0)'),
  'with a 0': (grouped) => grouped.replace(' ', '0'),
  'with an extension': (grouped) => `${grouped} ext. 42`,
  'with x42': (grouped) => `${grouped} x42`,
  'as a URI': (grouped) => `tel:${grouped.replaceAll(' ', '-')};ext=42`,
  'in full width': (grouped) => moved(grouped, /[!-~]/g, 0xfee0),
  'in Arabic digits': (grouped) => moved(grouped, /\d/g, 0x630),
  'with minus signs': (grouped) => grouped.replaceAll(' ', '\u2212'),
  'with invisible marks': (grouped) => `\u202a${grouped}\u202c`,
  "with Excel's apostrophe": (grouped) => `'${grouped};`,
};

/** Ways to write a number that only the service can read. */
const others = (code: string, grouped: string, national: string): string[] => {
  const digits = national.replaceAll(/\D/g, '');
  return [
    grouped.slice(1),
    grouped.slice(1).replaceAll(' ', ''),
    `011 ${grouped.slice(1)}`,
    `001 ${grouped.slice(1)}`,
    national,
    digits,
    digits.replace(/^0/, ''),
    national.replace(/^(?!0)/, '0'),
    `(${code}) ${national}`,
    digits.slice(-7),
  ];
};

const CODES = ['1', '7', '39', '44', '49', '52', '54', '55', '81', '82', '229', '241', '852'];

/** Leads whose phones look like what was typed, as far as a service can have stored them. */
const lookalikes = (phone: string): string[] => {
  const digits = phone.normalize('NFKC').replaceAll(/\D/g, '');
  const bare = digits.replace(/^0+/, '');
  const guesses = [digits, bare, ...CODES.flatMap((code) => [code + digits, code + bare])].flatMap((each) => [
    each,
    each.replace(/^(..)0/, '$1'),
    each.replace(/^(...)0/, '$1'),
    each.slice(1),
    each.slice(2),
  ]);
  return [...new Set(guesses.map((each) => `+${each}`))].filter((each) => normalize(each, 'US') === each);
};

test('leads.ensure never returns the lead of a different phone number, whatever the country of the account', {
  timeout: 300_000,
}, async () => {
  const accounts = getCountries();
  let sent = '';
  let stored: readonly string[] = [];
  const { leads } = clientOf({
    fetch: async (url, { method, body }) => {
      if (method === 'POST') {
        sent = JSON.parse(String(body)).phone;
        return Response.json({ success: false, error: 'exists', code: 'EXISTS' }, { status: 409 });
      }
      const search = new URL(url).searchParams.get('search') ?? '';
      const data = stored.flatMap((phone, index) =>
        phone.includes(search) ? [rowOf(index, { phone })] : [],
      );
      return Response.json({ success: true, data, meta: { total: data.length, limit: 100, offset: 0 } });
    },
  });
  const wrong: string[] = [];
  let checked = 0;
  let read = 0;
  for (const { country, example } of numbers) {
    const grouped = example.formatInternational();
    const spelled = Object.values(SPELLINGS).map((write) => write(grouped));
    const written = [...spelled, ...others(example.countryCallingCode, grouped, example.formatNational())];
    for (const [index, phone] of written.entries()) {
      // Its own country, one with unusual prefixes, and any.
      const unusual = (['BR', 'KR', 'JP', 'US'] as const)[checked % 4]!;
      stored = lookalikes(phone);
      for (const account of [country, unusual, accounts[(checked * 7) % accounts.length]!]) {
        checked += 1;
        const found = await leads.ensure({ phone }, { retry: false }).catch(() => undefined);
        const truth = normalize(sent, account);
        const raw = normalize(phone, account);
        if (truth !== undefined && raw !== undefined && truth !== raw && truth !== example.number) {
          wrong.push(`${account} ${phone}: sent ${sent}, the service would read ${raw}`);
        }
        if (found !== undefined && found.lead.phone !== truth) {
          wrong.push(`${account} ${phone}: ${truth}, not ${found.lead.phone}`);
        }
      }
      read += index < spelled.length && sent === example.number ? 1 : 0;
    }
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(10_000);
  // Where numbers may begin with 0, no 0 is dropped; in parts of Asia, 001 begins calls to any country.
  expect(read / (numbers.length * Object.keys(SPELLINGS).length)).toBeGreaterThan(0.96);
});
