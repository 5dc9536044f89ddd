import { didYouMean, UsageError } from '@confab/internal/cli';
import type { SignatureEncoding } from '../signature/encoding.ts';
import type { Signature } from '../signature/plain.ts';
import { standardWebhooks } from '../signature/standard-webhooks.ts';
import { timestamped } from '../signature/timestamped.ts';
import type { Values } from './flags.ts';
import { signatureFlags } from './flags.ts';

type Flag = keyof typeof signatureFlags;

type SignatureValues = Values<typeof signatureFlags>;

/** The flags of each scheme. Others would be ignored, so they are refused. */
const FLAGS = {
  plain: ['scheme', 'header', 'encoding', 'prefix', 'timestamp-header', 'tolerance', 'separator'],
  'standard-webhooks': ['scheme', 'header-prefix', 'tolerance'],
  timestamped: [
    'scheme',
    'header',
    'encoding',
    'tolerance',
    'separator',
    'timestamp-field',
    'signature-field',
    'delimiter',
  ],
} as const satisfies Record<string, readonly Flag[]>;

type Scheme = keyof typeof FLAGS;

const isScheme = (name: string): name is Scheme => Object.hasOwn(FLAGS, name);

const headerOf = ({ header }: SignatureValues): string => {
  if (header === undefined) {
    throw new UsageError(
      'No --header. Pass the name of the header with the signature; "detect" finds it in a captured delivery.',
    );
  }
  return header;
};

const toleranceOf = ({ tolerance }: SignatureValues): { toleranceSeconds?: number } => {
  if (tolerance === undefined) {
    return {};
  }
  const toleranceSeconds = Number(tolerance);
  if (!(toleranceSeconds > 0 && Number.isFinite(toleranceSeconds))) {
    throw new UsageError(
      `--tolerance must be a positive number of seconds, got ${JSON.stringify(tolerance)}.`,
    );
  }
  return { toleranceSeconds };
};

const plain = (values: SignatureValues): Signature => {
  const { encoding, prefix, separator, 'timestamp-header': timestampHeader } = values;
  for (const flag of ['separator', 'tolerance'] as const) {
    if (values[flag] !== undefined && timestampHeader === undefined) {
      throw new UsageError(`--${flag} needs --timestamp-header, because it applies to a signed timestamp.`);
    }
  }
  const header = headerOf(values);
  if (timestampHeader?.toLowerCase() === header.toLowerCase()) {
    throw new UsageError(`--header and --timestamp-header must name two headers, got ${header} twice.`);
  }
  return {
    header,
    encoding: encoding as 'auto' | undefined,
    prefix,
    timestamp:
      timestampHeader === undefined
        ? undefined
        : { header: timestampHeader, separator, ...toleranceOf(values) },
  };
};

const CREATE: Record<Scheme, (values: SignatureValues) => Signature> = {
  plain,
  'standard-webhooks': (values) =>
    standardWebhooks({ headerPrefix: values['header-prefix'], ...toleranceOf(values) }),
  timestamped: (values) =>
    timestamped({
      header: headerOf(values),
      encoding: values.encoding as SignatureEncoding | undefined,
      separator: values.separator,
      timestampField: values['timestamp-field'],
      signatureField: values['signature-field'],
      delimiter: values.delimiter,
      ...toleranceOf(values),
    }),
};

/**
 * Converts flags to the `signature` option. Their values are validated by the receiver.
 *
 * @throws {@link UsageError} When the scheme is unknown, `--header` is missing, or a flag belongs to another scheme.
 */
export const signatureFrom = (values: SignatureValues): Signature => {
  const { scheme = 'plain' } = values;
  if (!isScheme(scheme)) {
    throw new UsageError(
      `Unknown --scheme "${scheme}". ${didYouMean(scheme, Object.keys(FLAGS))}Use plain, standard-webhooks or timestamped.`,
    );
  }
  const known: readonly string[] = FLAGS[scheme];
  const flags = Object.keys(signatureFlags) as Flag[];
  const foreign = flags.find((flag) => values[flag] !== undefined && !known.includes(flag));
  if (foreign !== undefined) {
    throw new UsageError(`--${foreign} does not apply to --scheme ${scheme}. See --help.`);
  }
  return CREATE[scheme](values);
};
