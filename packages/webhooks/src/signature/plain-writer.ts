import { secretBytes } from './secret.ts';
import { encodeSignature } from './signature-encoding.ts';
import type { PlainScheme } from './signature-options.ts';
import type { SignatureScheme } from './signature-scheme.ts';

/**
 * Signs as {@link SignatureOptions} describe it. It is separate from `plainReader`, because a bundle with `sign` alone
 * should contain no code that verifies.
 */
export const plainWriter = ({
  header,
  encoding,
  prefix,
  timestamp: stamp,
}: PlainScheme): Pick<SignatureScheme, 'key' | 'write'> => ({
  key: secretBytes,
  write: async ({ timestamp }, digest) => ({
    ...(stamp && { [stamp.header]: String(timestamp) }),
    [header]:
      prefix +
      encodeSignature(
        await digest(stamp ? timestamp + stamp.separator : ''),
        encoding === 'auto' ? 'hex' : encoding,
      ),
  }),
});
