import { suggestNames } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { LeadCreateSchema } from '../../contract/index.ts';

/** A field of a lead. */
type LeadField = keyof typeof LeadCreateSchema.shape;

const LEAD_FIELDS = Object.keys(LeadCreateSchema.shape) as LeadField[];

/** The names that CRMs, phones and spreadsheets give to the fields, in five languages, after {@link normalizeName}. */
const COLUMN_NAMES: Readonly<Record<LeadField, string>> = {
  phone: `phone phonenumber mobile mobilephone mobilenumber cell cellphone telephone tel whatsapp whatsappnumber
    telefone fone celular numerodetelefone telefono movil numerodetelefono
    telefon telefonnummer telefonnr handy handynummer handynr mobil mobilnummer mobiltelefon rufnummer whatsappnummer
    portable telephoneportable telephonemobile numerodetelephone`,
  displayName: `displayname name fullname contactname customername nome nomecompleto nombre nombrecompleto
    vollstandigername vorundnachname kundenname kontaktname nom nomcomplet prenometnom nometprenom`,
  email: `email emailaddress mail correo correoelectronico
    emailadresse mailadresse courriel adresseemail adressemail adresseelectronique`,
  source: 'source leadsource origin origem origen fonte fuente quelle herkunft origine provenance',
  notes: `notes note comment comments remarks observacao observacoes observacion observaciones nota notas
    notiz notizen bemerkung bemerkungen anmerkung anmerkungen kommentar kommentare
    remarque remarques commentaire commentaires`,
  pipelineId: 'pipelineid pipeline',
};

/** The extra column of a file of failed rows. It is not called `reason`, because other files may have such a column. */
export const REASON_COLUMN = 'confab error';

/** Returns a name in lowercase, without accents and punctuation: `E-mail` becomes `email`. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, '');

const findField = (name: string): LeadField | undefined =>
  LEAD_FIELDS.find((field) => COLUMN_NAMES[field].match(/\S+/g)?.includes(normalizeName(name)));

/** The columns of a file, by field. */
export type Columns = ReadonlyMap<LeadField, string>;

/** What the flags say about columns. */
export interface ColumnFlags {
  /** The columns of `--map`, by field. */
  readonly map?: Columns;
  /** The columns of `--ignore`. */
  readonly ignore?: readonly string[];
}

export const isKnown = (name: string, { map = new Map(), ignore = [] }: ColumnFlags): boolean =>
  findField(name) !== undefined || [...map.values(), ...ignore].includes(name);

/**
 * Reads the flag `--map`: `phone=Telefone,displayName=Nome`.
 *
 * @param earlier The columns of an earlier `--map` of the same command.
 * @throws A {@link UsageError} when the flag names an unknown field, or a field or column twice.
 */
export const readMap = (text: string, earlier: Columns = new Map()): Columns => {
  const columns = new Map(earlier);
  // Names of columns may contain commas.
  for (const pair of text.split(/,(?=\s*\w+\s*=)/)) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    const field = LEAD_FIELDS.find((each) => each === name);
    if (field === undefined || column === '') {
      throw new UsageError(
        `--map must be fields with their columns, such as phone=Telefone,displayName=Nome, got ${JSON.stringify(pair)}. Fields: ${LEAD_FIELDS.join(', ')}.`,
      );
    }
    if (columns.has(field) || [...columns.values()].includes(column)) {
      const twice = columns.has(field) ? field : `the column ${quoted([column])}`;
      throw new UsageError(
        `--map names ${twice} twice. A field takes one column, and a column fills one field. To import two columns as one field, join them in the file.`,
      );
    }
    columns.set(field, column);
  }
  return columns;
};

/** Double quotes work in every shell, but some characters have a meaning within them. */
const quoteForShell = (text: string): string => {
  if (/^[\p{L}\d_=,.-]+$/u.test(text)) {
    return text;
  }
  return /["\\$`!%]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
};

/** Returns the flags `--map` and `--ignore`, quoted for a shell. */
export const formatColumnFlags = ({ map = new Map(), ignore = [] }: ColumnFlags): string => {
  const pairs = [...map].map((pair) => pair.join('='));
  return [
    ...(pairs.length > 0 ? [`--map ${quoteForShell(pairs.join(','))}`] : []),
    ...ignore.map((name) => `--ignore ${quoteForShell(name)}`),
  ].join(' ');
};

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** A line that names the columns of a file. */
interface Header {
  readonly line: number;
  readonly names: readonly string[];
  /** Whether the file has no other columns: in the first line of a CSV file, but not in a line of JSON. */
  readonly isComplete: boolean;
}

/** @throws A {@link UsageError} when a column of the flags is missing, or the column of the phone number. */
const checkComplete = (
  { line, names }: Header,
  { map = new Map(), ignore = [] }: ColumnFlags,
  columns: Columns,
): void => {
  const wanted = [
    ...[...map].map(([field, column]) => [column, `--map names for ${field}`] as const),
    ...ignore.map((column) => [column, '--ignore names'] as const),
  ];
  for (const [column, origin] of wanted) {
    if (!names.includes(column)) {
      throw new UsageError(
        `Line ${line} has no column ${quoted([column])}, which ${origin}. ${suggestNames([column], names)}`,
      );
    }
  }
  if (!columns.has('phone')) {
    throw new UsageError(
      `Line ${line} has no column for phone, only ${quoted(names)}. Name it: --map phone=<column>.`,
    );
  }
};

/**
 * Finds the column of each field.
 *
 * @throws A {@link UsageError} when a column is missing, unknown or ambiguous.
 */
export const findColumns = (header: Header, flags: ColumnFlags): Columns => {
  const { line, names } = header;
  const { map = new Map(), ignore = [] } = flags;
  const columns = new Map<LeadField, string>(map);
  const both = ignore.find((name) => [...map.values()].includes(name));
  if (both !== undefined) {
    throw new UsageError(`--map and --ignore both name the column ${quoted([both])}.`);
  }
  const settled = ['', REASON_COLUMN, ...map.values(), ...ignore];
  const unknown: string[] = [];
  for (const name of new Set(names.filter((each) => !settled.includes(each)))) {
    const field = findField(name);
    const other = field && columns.get(field);
    if (field === undefined) {
      unknown.push(name);
    } else if (other === undefined) {
      columns.set(field, name);
    } else if (!map.has(field)) {
      throw new UsageError(
        `Line ${line} has two columns for ${field}: ${quoted([other, name])}. Choose one:`,
        [other, name].map((each) => formatColumnFlags({ map: new Map([[field, each]]) })),
      );
    }
  }
  const twice = [...columns.values()].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) {
    throw new UsageError(`Line ${line} has two columns ${quoted([twice])}. Rename one of them.`);
  }
  if (header.isComplete) {
    checkComplete(header, flags, columns);
  }
  if (unknown.length > 0) {
    throw new UsageError(
      `Line ${line} has columns that match no field: ${quoted(unknown)}. To import one, pass --map, such as --map notes=<column>. To leave all of them out, add:`,
      [formatColumnFlags({ ignore: unknown })],
    );
  }
  return columns;
};
