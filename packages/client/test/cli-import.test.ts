import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KEY } from './support/data.ts';
import type { Behavior } from './support/lead-service.ts';
import { createLeadService } from './support/lead-service.ts';
import { runConfab } from './support/run-confab.ts';
import { startServer } from './support/server.ts';

/** A service over HTTP, and a folder for files to import. */
const setUp = async (behave?: (phone: string, attempt: number) => Behavior) => {
  const service = createLeadService(behave);
  const server = await startServer(async ({ method, path, query, body }, response) => {
    const answer = await service.fetch(`${server.url}${path}?${query}`, {
      method,
      body,
      headers: {},
      redirect: 'manual',
      signal: new AbortController().signal,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  const folder = mkdtempSync(join(tmpdir(), 'confab-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'leads.csv');
  const env = { CONFAB_BASE_URL: server.url, CONFAB_API_KEY: KEY };
  return {
    service,
    path,
    failedPath: join(folder, 'failed.csv'),
    bodies: () =>
      server.arrivals.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : [])),
    run: (content: string | Uint8Array, args: string[] = [], situation = {}) => {
      writeFileSync(path, content);
      return runConfab(['leads', 'import', path, ...args], { env, ...situation });
    },
    runWithInput: (stdin: string, args: string[] = []) =>
      runConfab(['leads', 'import', '-', ...args], { env, stdin }),
  };
};

const summaryOf = (counts: object) => ({
  ...{ done: 0, created: 0, existing: 0, updated: 0, unknown: 0, failed: 0 },
  ...counts,
});

const SEMICOLONS =
  'Nome;Telefone;E-mail\r\nZoë;+551198765-4321;z@example.com\r\n"Silva; ""Ana""";+5511987654322;\r\n';
const LEADS = [
  { displayName: 'Zoë', phone: '+5511987654321', email: 'z@example.com' },
  { displayName: 'Silva; "Ana"', phone: '+5511987654322' },
];
/** In this encoding, the text has these bytes. */
const latin = (text: string) => Buffer.from(text, 'latin1');

test.for<[what: string, content: string | Uint8Array, args: string[]]>([
  ['semicolons', SEMICOLONS, []],
  ['a UTF-8 byte order mark', `\uFEFF${SEMICOLONS}`, []],
  ['the sep= line of Excel', `sep=;\r\n${SEMICOLONS}`, []],
  ['UTF-16, as Excel writes "Unicode text"', Buffer.from(`\uFEFF${SEMICOLONS}`, 'utf16le'), []],
  ['Windows-1252', latin(SEMICOLONS), ['--encoding', 'windows-1252']],
  ['mixed line endings', SEMICOLONS.replace('\r\n', '\n'), []],
  ['the line endings of old Macs', SEMICOLONS.replaceAll('\r\n', '\r'), []],
  ['empty lines and rows', SEMICOLONS.replace('\r\n', '\r\n\r\n;;\r\n'), []],
  [
    'tabs',
    'Name\tMobile\tMail\nZoë\t+55 11 98765-4321\tz@example.com\n"Silva; ""Ana"""\t+5511987654322\t\n',
    [],
  ],
  [
    'commas',
    'Full Name,Phone Number,Email\nZoë,+5511987654321,z@example.com\n"Silva; ""Ana""",+5511987654322',
    [],
  ],
  [
    'JSON Lines',
    '{"displayName":"Zoë","phone":"+5511987654321","email":"z@example.com"}\n\n{"displayName":"Silva; \\"Ana\\"","phone":"+5511987654322"}',
    [],
  ],
])('a file with %s is imported', async ([, content, args]) => {
  const { run, bodies } = await setUp();
  const { code, out } = await run(content, args);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(summaryOf({ done: 2, created: 2 }));
  expect(bodies()).toEqual(expect.arrayContaining(LEADS));
});

test.for<[what: string, content: string | Uint8Array, message: string, args?: string[]]>([
  [
    'another encoding',
    latin('phone\n+442079460958\nZo\xeb'),
    'Line 3 is not UTF-8. Save the file as "CSV UTF-8"',
  ],
  ['an encoding that ends too early', latin('phone\n+442079460958\n\xc3'), 'Line 3 is not UTF-8.'],
  ['UTF-16 without a byte order mark', Buffer.from('phone\n', 'utf16le'), 'such as --encoding utf-16le.'],
  [
    'an unknown column',
    'phone,birthday\n+442079460958,1970',
    'Line 1 has columns that match no field: "birthday".',
  ],
  ['no content', '', 'It is empty.'],
  ['a byte order mark alone', '\uFEFF', 'It is empty.'],
  ['a wrong header below the delimiter', 'sep=;\nbirthday\n1970', 'Line 2 has no column for phone'],
  [
    'a wrong header alone',
    'birthday',
    'Line 1 has no column for phone, only "birthday". Name it: --map phone=<column>.',
  ],
  ['no column for the phone', 'email\na@example.com', 'Line 1 has no column for phone, only "email".'],
  [
    'two columns for the phone',
    'phone,Mobile phone\n1,2',
    `Line 1 has two columns for phone: "phone", "Mobile phone". Choose one: --map 'phone=Mobile phone'.`,
  ],
  ['two columns of one name', 'phone,Name,Name\n1,A,B', 'Line 1 has two columns "Name". Rename one of them.'],
  [
    'two columns of a name that --map has',
    'phone,X,X\n1,A,B',
    'Line 1 has two columns "X".',
    ['--map', 'notes=X'],
  ],
  [
    'a column of --map missing',
    'phone\n1',
    'Line 1 has no column "fone", which --map names for phone.',
    ['--map', 'phone=fone'],
  ],
  [
    'a phone that Excel has rounded',
    'phone\n+442079460958\n4.42E+11',
    'Line 3 has the phone 4.42E+11, which Excel has rounded.',
  ],
  ['a rounded phone with a comma', 'phone;name\n"4,42E+11";A', 'Line 2 has the phone 4,42E+11'],
  ['a quote that is never closed', 'phone,name\n+442079460958,"A\n', 'Quote Not Closed'],
  ['one value too many', 'phone,name\n+442079460958,A,B\n', 'Invalid Record Length'],
  ['a line that is not JSON', '{"phone":"+442079460958"}\n{"phone":', 'Line 2 is not a JSON object.'],
  [
    'an unknown field in JSON',
    '{"phone":"1"}\n{"phone":"2","age":3}',
    'Line 2 has columns that match no field: "age".',
  ],
])('a file with %s is refused before anything is sent', async ([, content, message, args]) => {
  const { run, path, service } = await setUp();
  const { code, out, err } = await run(content, args);
  expect([code, out, service.sent]).toEqual([2, '', 0]);
  expect(err).toContain(`confab: Cannot import ${path}: `);
  expect(err).toContain(message);
});

test.for<[args: string[], message: string]>([
  [['--map', 'tel=Fone'], '--map must be fields with their columns'],
  [['--map', 'displayName=Vorname,displayName=Nachname'], '--map names displayName twice.'],
  [['--map', 'displayName=A', '--map', 'displayName=B'], '--map names displayName twice.'],
  [['--map', 'phone=Tel,notes=Tel'], '--map names the column "Tel" twice.'],
  [['--country', 'BRA'], '--country must be two letters, such as BR, got "BRA".'],
  [['--encoding', 'ansi?'], '--encoding must be the name of an encoding'],
  [['--skip', '-1'], '--skip'],
  [['--on-existing', 'replace'], '--on-existing must be one of keep, update'],
])('%j are refused', async ([args, message]) => {
  const { run, service } = await setUp();
  const { code, err } = await run('phone\n+442079460958', args);
  expect([code, service.sent]).toEqual([2, 0]);
  expect(err).toContain(message);
});

test('a file that does not exist is named', async () => {
  const { code, err } = await runConfab(['leads', 'import', '/none.csv'], { env: {} });
  expect(code).toBe(2);
  expect(err).toContain('Cannot import /none.csv: ENOENT: no such file or directory.');
});

test('--map imports the columns that it names, and unknown ones are left out and listed', async () => {
  const { run, bodies } = await setUp();
  const content = 'Rua,"Fone, principal",phone,email,';
  const args = ['--map', 'phone=Fone, principal', '--map', 'notes=Rua'];
  const { code, err } = await run(`${content}\nA,+442079460958,+33,a@example.com`, args);
  expect(code).toBe(0);
  expect(bodies()).toEqual([{ phone: '+442079460958', notes: 'A', email: 'a@example.com' }]);
  const columns = 'phone from "Fone, principal", notes from "Rua", email from "email". Left out: "phone".\n';
  expect(err).toBe(`Importing ${columns}`);
  expect((await run(`${content}\nA,+442079460958`, [...args, '--dry-run'])).err).toContain(columns);
});

test.for([
  ['German', 'Vor- und Nachname;Handy-Nr.;E-Mail-Adresse;Quelle;Notizen'],
  ['French', 'Nom;Numéro de téléphone;Adresse e-mail;Provenance;Remarques'],
])('%s names of columns are known', async ([, header = '']) => {
  const { run, bodies } = await setUp();
  expect(await run(`${header}\nAda;+442079460958;a@example.com;Web;VIP`)).toMatchObject({ code: 0 });
  expect(bodies()).toEqual([
    { displayName: 'Ada', phone: '+442079460958', email: 'a@example.com', source: 'Web', notes: 'VIP' },
  ]);
});

test.for([
  ['names that contain commas', 'Preço (R$, com, taxas, e, frete);phone\n1;+442079460958'],
  ['quoted names that contain commas', '"Cost per 1,000, in EUR"\tphone\n1\t+442079460958'],
  ['a delimiter at the end of its lines', 'phone,\n+442079460958,'],
  ['spaces around its quotes', '"phone" , "x"\n"+442079460958" , "y"'],
])('a header with %s is read as intended', async ([, content = '']) => {
  const { run, bodies } = await setUp();
  expect(await run(content, ['--map', 'phone=phone'])).toMatchObject({ code: 0 });
  expect(bodies()).toEqual([{ phone: '+442079460958' }]);
});

test('standard input is imported as it arrives', async () => {
  const { runWithInput, service } = await setUp();
  expect(await runWithInput('phone\n+442079460958\n+442079460959')).toMatchObject({ code: 0 });
  expect(service.posts).toEqual(['+442079460958', '+442079460959']);
});

test('an existing lead is kept, or updated with --on-existing update', async () => {
  const { run, service } = await setUp();
  await run('phone,name\n+442079460958,Ada');
  const kept = await run('phone,name\n+442079460958,Grace');
  expect([JSON.parse(kept.out), service.patches]).toEqual([summaryOf({ done: 1, existing: 1 }), []]);
  const updated = await run('phone,name\n+442079460958,Grace', ['--on-existing', 'update']);
  expect(JSON.parse(updated.out)).toEqual(summaryOf({ done: 1, updated: 1 }));
  expect(service.patches).toEqual([{ displayName: 'Grace' }]);
});

test('with --country, national numbers are sent in E.164, and invalid ones fail', async () => {
  const { run, service } = await setUp();
  const { code, err } = await run('fone\n(11) 98765-4321\n00 44 20 7946 0958\n123', ['--country', 'br']);
  expect(code).toBe(12);
  expect(service.posts).toEqual(['+5511987654321', '+442079460958']);
  expect(err).toContain('Line 4: phone is not a valid number of BR\n');
});

test('failed rows are kept with their reasons, safe to open in Excel, and can be imported again', async () => {
  const { run, failedPath, path, bodies } = await setUp((_, attempt) => (attempt === 1 ? 422 : 'works'));
  const content = 'phone;name;notes\n+442079460958;"=1+1; ""x""";-3\n+442079460959;Bob;\n';
  const failed = await run(content, ['--failed', failedPath]);
  expect(failed.code).toBe(12);
  expect(failed.err).toContain(
    `The rows that failed are in ${failedPath}. Correct them, and import that file.`,
  );
  const [header = '', first = ''] = readFileSync(failedPath, 'utf8').split('\r\n');
  expect(header).toBe('\uFEFFphone;name;notes;confab error');
  expect(first).toMatch(/^'\+442079460958;"'=1\+1; ""x""";'-3;leads\.ensure failed with 422 /);

  expect(await run(readFileSync(failedPath), ['--failed', `${path}.2`])).toMatchObject({ code: 0 });
  expect(bodies().slice(2)).toEqual([
    { phone: '+442079460958', displayName: '=1+1; "x"', notes: '-3' },
    { phone: '+442079460959', displayName: 'Bob' },
  ]);
});

test.for<[name: string, failedOf: (path: string) => string]>([
  ['its path', (path) => path],
  [
    'a hard link to it',
    (path) => {
      linkSync(path, `${path}.link`);
      return `${path}.link`;
    },
  ],
])('failed rows do not overwrite the imported file under %s', async ([, failedOf]) => {
  const { run, path } = await setUp();
  writeFileSync(path, '');
  const { code, err } = await run('phone\n1', ['--failed', failedOf(path)]);
  expect(code).toBe(2);
  expect(err).toContain('--failed must name another file');
  expect(readFileSync(path, 'utf8')).toBe('phone\n1');
});

test('the flags that failed rows need again are printed as a shell reads them, and do import them', async () => {
  const { run, failedPath, path, bodies } = await setUp((_, attempt) => (attempt === 1 ? 422 : 'works'));
  const map = "phone=Maria's Fone";
  const flags = ['--country', 'GB', '--on-existing', 'update'];
  const args = ['--map', map, ...flags, '--encoding', 'windows-1252', '--failed', failedPath];
  const { err } = await run(latin("Maria's Fone,São\n020 7946 0958,x"), args);
  expect(err).toContain(
    `import that file with --map 'phone=Maria'\\''s Fone' --country GB --on-existing update.\n`,
  );
  const again = ['--map', map, ...flags, '--failed', `${path}.2`];
  expect(await run(readFileSync(failedPath), again)).toMatchObject({ code: 0 });
  expect(bodies().at(-1)).toEqual({ phone: '+442079460958' });
});

test('a short row that fails keeps its values and its reason in their columns', async () => {
  const { run, failedPath } = await setUp();
  await run('name,phone,2,notes\nAda,1', ['--map', 'phone=phone', '--country', 'GB', '--failed', failedPath]);
  expect(readFileSync(failedPath, 'utf8')).toBe(
    '\uFEFFname,phone,2,notes,confab error\r\nAda,1,,,phone is not a valid number of GB\r\n',
  );
});

test('a resumed import appends to the rows that failed before, under one header', async () => {
  const { run, failedPath } = await setUp();
  const content = 'phone\n1\n2\n3';
  await run(content, ['--country', 'GB', '--failed', failedPath, '--skip', '2']);
  await run(content, ['--country', 'GB', '--failed', failedPath, '--skip', '1']);
  const cells = readFileSync(failedPath, 'utf8')
    .split('\r\n')
    .map((line) => line.split(',')[0]);
  expect(cells).toEqual(['\uFEFFphone', '3', '2', '3', '']);
});

test('an import without failures leaves none of an earlier one', async () => {
  const { run, failedPath } = await setUp();
  await run('phone\n1', ['--country', 'GB', '--failed', failedPath]);
  expect(readFileSync(failedPath, 'utf8')).not.toBe('');
  await run('phone\n+442079460958', ['--failed', failedPath]);
  expect(readFileSync(failedPath, 'utf8')).toBe('');
});

test('a stopped import leaves the failures that it will repeat out of the file', async () => {
  const { run, failedPath } = await setUp((phone) => (phone.endsWith('00') ? 'works' : 422));
  const phones = Array.from({ length: 30 }, (_, row) => `+4420794600${String(row).padStart(2, '0')}`);
  const { err } = await run(`phone\n1\n${phones.join('\n')}`, ['--country', 'GB', '--failed', failedPath]);
  expect(err).toContain('Stopped. To resume, add --skip 2.\n');
  expect(readFileSync(failedPath, 'utf8')).toMatch(/^\uFEFFphone,confab error\r\n1,.*\r\n$/);
});

test('a file that cannot be written ends the import before anything is sent', async () => {
  const { run, path, service } = await setUp();
  const failed = join(path, 'none', 'failed.csv');
  const { code, err } = await run('phone\n+442079460958', ['--failed', failed]);
  expect([code, service.sent]).toEqual([2, 0]);
  expect(err).toContain(`Cannot write --failed ${failed}: `);
});

test('a row whose failure cannot be written is repeated by the resumed import', async () => {
  const { run, failedPath } = await setUp((phone) => {
    if (phone.endsWith('8')) {
      return 'works';
    }
    rmSync(failedPath);
    mkdirSync(failedPath);
    return 422;
  });
  const { code, err } = await run('phone\n+442079460958\n+442079460959', ['--failed', failedPath]);
  expect(code).toBe(1);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
  expect(err).toContain(`Cannot write --failed ${failedPath}: EISDIR`);
});

test('invalid standard input after rows were sent does not exit with the code for "nothing was sent"', async () => {
  const { runWithInput, service } = await setUp();
  const { code, err } = await runWithInput('phone\n+442079460958\n4.42E+11');
  expect([code, service.posts]).toEqual([1, ['+442079460958']]);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
});

test('without --failed, the reasons of the first rows are printed', async () => {
  const { run } = await setUp(() => 422);
  const { err } = await run(`phone\n${'+442079460958\n+442079460959\n'.repeat(9)}`, ['--skip', '16']);
  expect(err.match(/^Line 1[89]: leads\.ensure failed with 422/gm)).toHaveLength(2);
});

test('Ctrl+C finishes the rows in progress and says how to resume, and no row is sent twice', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `+4420794600${10 + index}`);
  let interrupt = () => {};
  const { run, service } = await setUp((phone) => {
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
  const { run } = await setUp((phone) => (phone.endsWith('9') ? 401 : 'works'));
  const { code, err } = await run('phone\n+442079460958\n+442079460959');
  expect(code).toBe(4);
  expect(err).toContain('Stopped. To resume, add --skip 1.\n');
  expect(err).toContain('failed with 401');
});

test('a dry run sends nothing, shows what would be sent, and names the rows that are invalid', async () => {
  const { run, service } = await setUp();
  const args = ['--country', 'BR', '--dry-run'];
  const { code, out, err } = await run('fone,pipeline\n11987654321,\n123,\n11987654322,none', args);
  expect([code, service.sent]).toEqual([12, 0]);
  expect(out).toBe('{"phone":"+5511987654321"}\n');
  expect(err).toContain('Line 3: phone is not a valid number of BR\n');
  expect(err).toContain('Line 4: pipelineId must be a UUID');
  expect(err).toContain('Rows to send: 1. Invalid: 2.');
});

test('a terminal shows the progress in one line, and the summary in words', async () => {
  const { run } = await setUp();
  const situation = { terminal: 80, errorsToTerminal: true };
  const { out, err } = await run('phone\n+442079460958\n+442079460959', [], situation);
  expect(out).toBe('2 rows: 2 created\n');
  expect(err).toContain('\r\u001b[K2 of 2 rows: 2 created\n');
});
