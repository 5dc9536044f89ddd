import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { KEY } from './support/data.ts';
import type { Behavior } from './support/lead-service.ts';
import { createLeadService } from './support/lead-service.ts';
import { runConfab } from './support/run-confab.ts';

/** A service, and a folder for files to import. */
const setUp = (behave?: (phone: string, attempt: number) => Behavior) => {
  const service = createLeadService(behave);
  const bodies: unknown[] = [];
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init = {}) => {
    if (init.method === 'POST') {
      bodies.push(JSON.parse(String(init.body)));
    }
    return service.fetch(String(url), init as Parameters<typeof service.fetch>[1]) as Promise<Response>;
  });
  const folder = mkdtempSync(join(tmpdir(), 'confab-import-'));
  onTestFinished(() => {
    fetch.mockRestore();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'leads.csv');
  const env = { CONFAB_BASE_URL: 'http://127.0.0.1', CONFAB_API_KEY: KEY };
  return {
    service,
    path,
    failedPath: join(folder, 'failed.csv'),
    bodies,
    run: (content: string | Uint8Array, args: string[] = [], situation = {}) => {
      writeFileSync(path, content);
      return runConfab(['leads', 'import', path, ...args], { env, ...situation });
    },
    runWithInput: (stdin: string, args: string[] = []) =>
      runConfab(['leads', 'import', '-', ...args], { env, stdin }),
  };
};

const PHONE = '+442079460958';
const OTHER = '+442079460959';

const summaryOf = (counts: object) => ({
  ...{ done: 0, created: 0, existing: 0, updated: 0, unknown: 0, failed: 0 },
  ...counts,
});

const SEMICOLONS =
  'Nome;Telefone;E-mail\r\nZoë;+551198765-4321;z@example.com\r\n"Silva; ""Ana""";+5511987654322;\r\n';
const COMMAS =
  'Full Name,Phone Number,Email\nZoë,+5511987654321,z@example.com\n"Silva; ""Ana""",+5511987654322';
const LEADS = [
  { displayName: 'Zoë', phone: '+5511987654321', email: 'z@example.com' },
  { displayName: 'Silva; "Ana"', phone: '+5511987654322' },
];
const JSON_LINES = LEADS.map((lead) => JSON.stringify(lead)).join('\n\n');
/** In this encoding, the text has these bytes. */
const latin = (text: string) => Buffer.from(text, 'latin1');

test.for<[what: string, content: string | Uint8Array, ...args: string[]]>([
  ['semicolons', SEMICOLONS],
  ['a UTF-8 byte order mark', `\uFEFF${SEMICOLONS}`],
  ['the sep= line of Excel', `sep=;\r\n${SEMICOLONS}`],
  ['UTF-16, as Excel writes "Unicode text"', Buffer.from(`\uFEFF${SEMICOLONS}`, 'utf16le')],
  ['Windows-1252', latin(SEMICOLONS), '--encoding', 'windows-1252'],
  ['mixed line endings', SEMICOLONS.replace('\r\n', '\n')],
  ['the line endings of old Macs', SEMICOLONS.replaceAll('\r\n', '\r')],
  ['empty lines and rows', SEMICOLONS.replace('\r\n', '\r\n\r\n;;\r\n')],
  ['tabs', COMMAS.replaceAll(',', '\t')],
  ['commas', COMMAS],
  ['JSON Lines', JSON_LINES],
])('a file with %s is imported', async ([, content, ...args]) => {
  const { run, bodies } = setUp();
  const { code, out } = await run(content, args);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(summaryOf({ done: 2, created: 2 }));
  expect(bodies).toEqual(LEADS);
});

test.for<[what: string, content: string | Uint8Array, message: string, ...args: string[]]>([
  ['another encoding', latin(`phone\n${PHONE}\nZo\xeb`), 'Line 3 is not UTF-8. Save the file as "CSV UTF-8"'],
  ['an encoding that ends too early', latin(`phone\n${PHONE}\n\xc3`), 'Line 3 is not UTF-8.'],
  ['UTF-16 without a mark', Buffer.from('phone\n', 'utf16le'), 'such as --encoding utf-16le.'],
  ['an unknown column', 'phone,age\n1,2', 'Line 1 has columns that match no field: "age".'],
  ['no content', '\uFEFF', 'It is empty.'],
  ['a wrong header below the delimiter', 'sep=;\nage\n1', 'Line 2 has no column for phone, only "age".'],
  [
    'two phones',
    'phone,Mobile phone\n1,2',
    `"phone", "Mobile phone". Choose one:\n  --map phone=phone\n  --map "phone=Mobile phone"\n`,
  ],
  ['two columns of one name', 'phone,Name,Name\n1,A,B', 'Line 1 has two columns "Name". Rename one of them.'],
  ['two columns of a name of --map', 'phone,X,X\n1,A,B', 'Line 1 has two columns "X".', '--map', 'notes=X'],
  ['a column of --map missing', 'phone\n1', 'Line 1 has no column "fone", which', '--map', 'phone=fone'],
  [
    'one column in --map and --ignore',
    'phone,X\n1,2',
    '--ignore both name the column "X".',
    '--map',
    'notes=X',
    '--ignore',
    'X',
  ],
  ['a column of --ignore missing', 'phone\n1', 'no column "fone", which --ignore names.', '--ignore', 'fone'],
  [
    'a phone number that Excel has rounded',
    'phone\n1\n4.42E+11',
    'Line 3 has the phone number 4.42E+11, which Excel has',
  ],
  ['a rounded phone number with a comma', 'phone;name\n"4,42E+11";A', 'Line 2 has the phone number 4,42E+11'],
  [
    'an open quote',
    'phone,name\n1,A\n2,"B\n3,C\n',
    'A quote that opens on line 3 or later is never closed.\n',
  ],
  ['an open quote in the header', 'sep=,\nphone,"name\n', 'A quote that opens on line 2 or later is never'],
  ['a long row', `phone,name\n1,"${'x\n'.repeat(40_000)}`, 'on line 2 or later has more than 65,536 bytes.'],
  [
    'a cell too many',
    'phone;name\n1;A\n1;A;B\n',
    'Line 3 has 3 cells, more than the header has. Quote each cell that contains ";".\n',
  ],
  [
    'a quote in a cell',
    'phone,name\n1,A "B"\n',
    'Line 2 has a quote within a cell. Quote the whole cell and',
  ],
  ['a quote in a quoted cell', 'phone,name\n1,"A"B"\n', 'Line 2 has a quote within a cell.'],
  ['text after a quoted cell', 'phone,name\n1,"A" B\n', 'Line 2 has a quote within a cell.'],
  ['a control character in JSON', '{"phone":"1"}\n{"phone":\u001F"2"}', 'Line 2 is not a JSON object.\n'],
  ['a line that is not JSON', '{"phone":"1"}\n{"phone":', 'Line 2 is not a JSON object.'],
  ['an unknown field in JSON', '{"phone":"1"}\n{"age":3}', 'Line 2 has columns that match no field: "age".'],
])('a file with %s is refused before anything is sent', async ([, content, message, ...args]) => {
  const { run, path, service } = setUp();
  const { code, out, err } = await run(content, args);
  expect([code, out, service.counts.sent]).toEqual([2, '', 0]);
  expect(err).toContain(`confab: Cannot import ${path}: `);
  expect(err).toContain(message);
});

test.for<[message: string, ...args: string[]]>([
  ['--map must be fields with their columns', '--map', 'tel=Fone'],
  ['--map names displayName twice.', '--map', 'displayName=A', '--map', 'displayName=B'],
  ['--map names the column "Tel" twice.', '--map', 'phone=Tel,notes=Tel'],
  [
    '--country must be a country code or none. "UK" is not a known country code (ISO 3166).',
    '--country',
    'UK',
  ],
  ['"BRA" is not a known country code', '--country', 'BRA'],
  ['--encoding must be the name of an encoding', '--encoding', 'ansi?'],
  ['--skip', '--skip', '-1'],
  ['--on-existing must be one of keep, update', '--on-existing', 'replace'],
  ["Too many arguments for 'import'.", 'other.csv'],
])('an import with wrong flags exits with 2 and says: %s', async ([message, ...args]) => {
  const { run, service } = setUp();
  const { code, err } = await run(`phone\n${PHONE}`, args);
  expect([code, service.counts.sent]).toEqual([2, 0]);
  expect(err).toContain(message);
});

test('an import of a file that does not exist prints its path', async () => {
  const { code, err } = await runConfab(['leads', 'import', '/none.csv']);
  expect(code).toBe(2);
  expect(err).toContain('Cannot import /none.csv: ENOENT: no such file or directory.');
});

test('an import refuses a folder', async () => {
  const { code, err } = await runConfab(['leads', 'import', tmpdir()]);
  expect([code, err]).toEqual([2, `confab: Cannot import ${tmpdir()}: It is a folder.\n`]);
});

test('--map imports its columns, and --ignore leaves out and lists others', async () => {
  const { run, runWithInput, bodies } = setUp();
  const content = `Rua,"Fone, principal",phone,age,email,name\nA,${PHONE},+33,7,a@example.com,Ada`;
  const args = [
    '--map',
    'phone=Fone, principal',
    '--map',
    'notes=Rua',
    '--ignore',
    'age',
    '--ignore',
    'name',
  ];
  const columns =
    'phone from "Fone, principal", notes from "Rua", email from "email". Left out: "phone", "age", "name".\n';
  expect(await run(content, args)).toMatchObject({ code: 0, err: `Importing ${columns}` });
  expect(bodies).toEqual([{ phone: PHONE, notes: 'A', email: 'a@example.com' }]);
  expect(await runWithInput(content, args)).toMatchObject({ code: 0, err: `Importing ${columns}` });
  expect((await run(content, [...args, '--dry-run'])).err).toContain(`Would import ${columns}`);
});

test.for([
  ['German', 'Vor- und Nachname;Handy-Nr.;E-Mail-Adresse;Quelle;Notizen'],
  ['French', 'Nom;Numéro de téléphone;Adresse e-mail;Provenance;Remarques'],
])('an import recognizes %s names of columns', async ([, header = '']) => {
  const { run, bodies } = setUp();
  await run(`${header}\nAda;${PHONE};a@example.com;Web;VIP`);
  expect(bodies).toEqual([
    { displayName: 'Ada', phone: PHONE, email: 'a@example.com', source: 'Web', notes: 'VIP' },
  ]);
});

test.for([
  [
    'names that contain commas',
    `Preço (R$, com, taxas, e, frete);phone\n1;${PHONE}`,
    'Preço (R$, com, taxas, e, frete)',
  ],
  [
    'quoted names that contain commas',
    `"Cost per 1,000, in EUR"\tphone\n1\t${PHONE}`,
    'Cost per 1,000, in EUR',
  ],
  ['a delimiter at the end of its lines', `phone,\n${PHONE},`],
  ['spaces around its quotes', `"phone" , "x"\n"${PHONE}" , "y"`, 'x'],
])('a header with %s is read as intended', async ([, content = '', ...ignored]) => {
  const { run, bodies } = setUp();
  await run(
    content,
    ignored.flatMap((name) => ['--ignore', name]),
  );
  expect(bodies).toEqual([{ phone: PHONE }]);
});

test('an existing lead is kept, or updated with --on-existing update', async () => {
  const { run, service } = setUp();
  await run(`phone,name\n${PHONE},Ada`);
  const kept = await run(`phone,name\n${PHONE},Grace`);
  expect([JSON.parse(kept.out), service.patches]).toEqual([summaryOf({ done: 1, existing: 1 }), []]);
  const updated = await run(`phone,name\n${PHONE},Grace`, ['--on-existing', 'update']);
  expect(JSON.parse(updated.out)).toEqual(summaryOf({ done: 1, updated: 1 }));
  expect(service.patches).toEqual([{ displayName: 'Grace' }]);
});

test('with --country, national numbers are sent in E.164, and invalid ones fail', async () => {
  const { run, service } = setUp();
  const { code, err } = await run('fone\n(11) 98765-4321\n00 44 20 7946 0958\n123', ['--country', 'br']);
  expect(code).toBe(12);
  expect(service.posts).toEqual(['+5511987654321', PHONE]);
  expect(err).toContain('Line 4: phone is not a valid number of BR\n');
});

const LOCAL = `phone\n${PHONE}\n030 901820\n(030) 901821\n0049 30 901822\n${'030 901823\n'.repeat(4)}`;

test.for([
  ['an import', []],
  ['a dry run', ['--dry-run']],
] as const)(
  '%s refuses a file with local phone numbers, and names their lines and the flags to choose from',
  async ([, args]) => {
    const { run, service, path } = setUp();
    const { code, out, err } = await run(LOCAL, [...args]);
    expect([code, out, service.counts.sent]).toEqual([2, '', 0]);
    const [message, ...flags] = err.split('\n');
    expect(message).toContain(`${path}: Lines 3, 4, 6, 7, 8 and 1 more have phone numbers without a country`);
    expect(flags).toEqual(['  --country "<code>"', '  --country none', '']);
  },
);

test('--country none sends local phone numbers as they are', async () => {
  const { run, service, failedPath } = setUp((phone) => (phone.startsWith('+') ? 'works' : 400));
  const { code, err } = await run(`phone\n030 901820\n${PHONE}`, [
    '--country',
    'None',
    '--failed',
    failedPath,
  ]);
  expect([code, service.posts.toSorted()]).toEqual([12, [PHONE, '030 901820']]);
  expect(err).toContain('Correct them, and import that file with --country none.\n');
});

test('rows that --skip leaves out may have local phone numbers', async () => {
  const { run, service } = setUp();
  expect(await run(`phone\n030 901820\n${PHONE}`, ['--skip', '1'])).toMatchObject({ code: 0 });
  expect(service.posts).toEqual([PHONE]);
});

test('an import from standard input stops at the first local phone number', async () => {
  const { runWithInput, service } = setUp();
  const { code, err } = await runWithInput(`phone\n${PHONE}\n030 901820\n${OTHER}`);
  expect([code, service.posts]).toEqual([1, [PHONE]]);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
  expect(err).toContain('Line 3 has a phone number without a country code. Pass the country, such as DE,');
  expect(await runWithInput('phone\n030 901820')).toMatchObject({ code: 2 });
});

test('failed rows are kept with their reasons, safe to open in Excel, and can be imported again', async () => {
  const { run, failedPath, path, bodies } = setUp((_, attempt) => (attempt === 1 ? 422 : 'works'));
  const content = `=phone;name;notes\n${PHONE};"=1+1; ""x""";-3\n${OTHER};Bob;\n`;
  const failed = await run(content, ['--map', 'phone==phone', '--failed', failedPath]);
  expect(failed.code).toBe(12);
  expect(failed.err).toContain(`The rows that failed are in ${failedPath}. Correct them, and import`);
  const [header = '', first = ''] = readFileSync(failedPath, 'utf8').split('\r\n');
  expect(header).toBe('\uFEFF=phone;name;notes;confab error');
  expect(first).toMatch(/^'\+442079460958;"'=1\+1; ""x""";'-3;leads\.ensure failed with 422 /);

  const again = ['--map', 'phone==phone', '--failed', `${path}.2`];
  expect(await run(readFileSync(failedPath), again)).toMatchObject({ code: 0 });
  expect(bodies.slice(2)).toEqual([
    { phone: PHONE, displayName: '=1+1; "x"', notes: '-3' },
    { phone: OTHER, displayName: 'Bob' },
  ]);
});

test('failed rows of JSON Lines are JSON Lines', async () => {
  const { run, failedPath } = setUp((_, attempt) => (attempt === 1 ? 422 : 'works'));
  await run(JSON_LINES, ['--failed', failedPath]);
  const [first = ''] = readFileSync(failedPath, 'utf8').split('\n');
  expect(JSON.parse(first)).toEqual({ ...LEADS[0], 'confab error': expect.stringContaining('422') });
  expect(await run(readFileSync(failedPath))).toMatchObject({ code: 0 });
});

test('failed rows do not overwrite the imported file under another name', async () => {
  const { run, path } = setUp();
  writeFileSync(path, '');
  linkSync(path, `${path}.link`);
  const { code, err } = await run('phone\n1', ['--failed', `${path}.link`]);
  expect([code, err]).toEqual([2, expect.stringContaining('--failed must name a different file')]);
  expect(readFileSync(path, 'utf8')).toBe('phone\n1');
});

test('an import prints the flags for importing its failed rows, quoted for a shell', async () => {
  const { run, failedPath } = setUp(() => 422);
  const flags = ['--country', 'GB', '--on-existing', 'update'];
  const columns = ['--map', "phone=Maria's Fone", '--ignore', "São 'R$'"];
  const args = [...columns, ...flags, '--encoding', 'windows-1252'];
  const { err } = await run(latin("Maria's Fone;São 'R$'\n020 7946 0958;x"), [
    ...args,
    '--failed',
    failedPath,
  ]);
  expect(err).toContain(
    `with --map "phone=Maria's Fone" --ignore 'São '\\''R$'\\''' --country GB --on-existing update.\n`,
  );
});

test('a short row that fails keeps its values and its reason in their columns', async () => {
  const { run, failedPath } = setUp();
  await run('name,phone,2,notes\nAda,1', ['--ignore', '2', '--country', 'GB', '--failed', failedPath]);
  expect(readFileSync(failedPath, 'utf8')).toBe(
    '\uFEFFname,phone,2,notes,confab error\r\nAda,1,,,phone is not a valid number of GB\r\n',
  );
});

test('--failed replaces the failures of an earlier run, and adds to them under the same header with --skip', async () => {
  const { run, failedPath } = setUp();
  const import3 = (...skip: string[]) =>
    run('phone\n1\n2\n3', ['--country', 'GB', '--failed', failedPath, ...skip]);
  await import3();
  await import3();
  await import3('--skip', '1');
  const lines = readFileSync(failedPath, 'utf8').split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual(['\uFEFFphone', '1', '2', '3', '2', '3', '']);
});

test('the --failed file of a stopped import leaves out the rows that a resumed import sends again', async () => {
  const { run, failedPath } = setUp((phone) => (phone.endsWith('00') ? 'works' : 422));
  const phones = Array.from({ length: 30 }, (_, row) => `+4420794600${String(row).padStart(2, '0')}`);
  const { err } = await run(`phone\n1\n${phones.join('\n')}`, ['--country', 'GB', '--failed', failedPath]);
  expect(err).toContain('Stopped. To resume, add --skip 2.\n');
  expect(readFileSync(failedPath, 'utf8')).toMatch(/^\uFEFFphone,confab error\r\n1,.*\r\n$/);
});

test('an import that stops because its first rows fail says how to resume', async () => {
  const { run } = setUp(() => 422);
  const content = `phone\n${Array.from({ length: 30 }, (_, row) => `+4420794600${10 + row}`).join('\n')}`;
  expect((await run(content)).err).toContain('Stopped. To resume, run the command again.\n');
  expect((await run(content, ['--skip', '5'])).err).toContain('Stopped. To resume, add --skip 5.\n');
});

test('a file that cannot be written ends the import before anything is sent', async () => {
  const { run, path, service } = setUp();
  const failed = join(path, 'none', 'failed.csv');
  const { code, err } = await run(`phone\n${PHONE}`, ['--failed', failed]);
  expect([code, service.counts.sent]).toEqual([2, 0]);
  expect(err).toContain(`Cannot write --failed ${failed}: `);
});

test('a row whose failure cannot be written to --failed is sent again by the resumed import', async () => {
  const { run, failedPath } = setUp((phone) => {
    if (phone === PHONE) {
      return 'works';
    }
    rmSync(failedPath);
    mkdirSync(failedPath);
    return 422;
  });
  const { code, err } = await run(`phone\n${PHONE}\n${OTHER}`, ['--failed', failedPath]);
  expect(code).toBe(1);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
  expect(err).toContain(`Cannot write --failed ${failedPath}: EISDIR`);
});

test('standard input is imported as it arrives, so its mistakes do not exit with the code for "nothing was sent"', async () => {
  const { runWithInput, service } = setUp();
  const { code, err } = await runWithInput(`phone\n${PHONE}\n4.42E+11`);
  expect([code, service.posts]).toEqual([1, [PHONE]]);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
});

test('without --failed, the reasons of the first rows are printed', async () => {
  const { run } = setUp(() => 422);
  const { err } = await run(`phone\n${`${PHONE}\n${OTHER}\n`.repeat(9)}`, ['--skip', '16']);
  expect(err.match(/^Line 1[89]: leads\.ensure failed with 422/gm)).toHaveLength(2);
});

test('Ctrl+C finishes the rows in progress and says how to resume, and no row is sent twice', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `+4420794600${10 + index}`);
  let interrupt = () => {};
  const { run, service } = setUp((phone) => {
    if (phone === rows[20]) {
      interrupt();
    }
    return 'works';
  });
  const content = `phone\n${rows.join('\n')}`;
  const first = await run(content, [], { onInterrupt: (callback: () => void) => (interrupt = callback) });
  expect(first.code).toBe(130);
  const [, skip = ''] = /Stopped\. To resume, add --skip (\d+)\./.exec(first.err) ?? [];
  expect(service.posts).toHaveLength(Number(skip));

  expect(await run(content, ['--skip', skip])).toMatchObject({ code: 0 });
  expect(service.posts.toSorted()).toEqual(rows);
});

test('an error that would fail every row ends the import with its own exit code, and says how to resume', async () => {
  const { run } = setUp((phone) => (phone === OTHER ? 401 : 'works'));
  const { code, err } = await run(`phone\n${PHONE}\n${OTHER}`);
  expect(code).toBe(4);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
  expect(err).toContain('failed with 401');
});

test('a dry run sends nothing, shows what would be sent, and names the rows that are invalid', async () => {
  const { run, service } = setUp();
  const args = ['--country', 'BR', '--dry-run'];
  const { code, out, err } = await run('fone,pipeline\n11987654321,\n123,\n11987654322,none\n,none', args);
  expect([code, service.counts.sent]).toEqual([12, 0]);
  expect(out).toBe('{"phone":"+5511987654321"}\n');
  expect(err).toContain('Line 3: phone is not a valid number of BR\n');
  expect(err).toContain('Line 4: pipelineId must be a UUID');
  expect(err).toContain('Line 5: phone is empty; pipelineId');
  expect(err).toContain('Rows to send: 1. Invalid: 3.');
});

test('a dry run prints each lead once and names rows with the phone number of an earlier row, however far apart', async () => {
  const { run } = setUp();
  const others = Array.from({ length: 60 }, (_, index) => `+4420794600${10 + index}`);
  const rows = [PHONE, '+44 20 7946-0958', ...others, '+44 (0)20 7946 0958'];
  const { code, out, err } = await run(`phone\n${rows.join('\n')}`, ['--dry-run']);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toEqual([PHONE, ...others].map((phone) => JSON.stringify({ phone })));
  const effect = 'has the same phone number as line 2, and is not imported';
  expect(err).toContain(`Line 3: ${effect}\nLine 64: ${effect}\n`);
  expect(err).toContain('Rows to send: 61. Duplicates: 2. Invalid: 0.\n');
});

test.for([['is not imported'], ['updates its lead', '--on-existing', 'update']])(
  'an import names rows with the phone number of an earlier row: the later one %s',
  async ([effect, ...args]) => {
    const { run } = setUp();
    const content = `phone,name\n${PHONE},Ada\n${OTHER},Bob\n+44 20 7946 0958,Grace`;
    const { code, err } = await run(content, args, { errorsToTerminal: true });
    expect(code).toBe(0);
    expect(err).toContain(`\r\u001b[KLine 4: has the same phone number as line 2, and ${effect}\n`);
  },
);

test('an import that has done nothing does not say how to resume', async () => {
  const { run } = setUp(() => 403);
  const { code, err } = await run(`phone\n${PHONE}`);
  expect(code).toBe(5);
  expect(err).not.toContain('resume');
});

test('unknown columns can be left out with the line of flags below their message', async () => {
  const { run, bodies } = setUp();
  const content = `Kd-Nr;Handy-Nr.;O'Hara;age\n7;${PHONE};x;3`;
  const { err } = await run(content);
  const flags = ['--ignore', 'Kd-Nr', '--ignore', "O'Hara", '--ignore', 'age'];
  expect(err).toContain(`To leave all of them out, add:\n  --ignore Kd-Nr --ignore "O'Hara" --ignore age\n`);
  expect(await run(content, flags)).toMatchObject({ code: 0 });
  expect(bodies).toEqual([{ phone: PHONE }]);
});

test('a terminal shows the progress in one line, and the summary in words', async () => {
  const { run } = setUp();
  const situation = { terminal: 80, errorsToTerminal: true };
  const { out, err } = await run(`phone\n${PHONE}\n${OTHER}`, [], situation);
  expect(out).toBe('2 rows: 2 created\n');
  expect(err).toContain('\r\u001b[K2 of 2 rows: 2 created\n');
});
