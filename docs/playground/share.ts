const PREFIX = '#code=';

/** The most bytes of a shared program. A link of a few characters could unpack to gigabytes. */
const MAX_BYTES = 64 * 1024;
const MAX_CHARACTERS = 2 * MAX_BYTES;

const pass = (bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) =>
  new Blob([bytes]).stream().pipeThrough(transform);

/** Reads a stream up to a limit. */
const readUpTo = async (
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) {
      throw new RangeError(`The program must have at most ${limit} bytes.`);
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
};

/**
 * Returns the fragment of a link that opens a program.
 *
 * @throws A {@link RangeError} when the program has more than 64 KiB.
 */
export const toFragment = async (program: string): Promise<string> => {
  const bytes = new TextEncoder().encode(program);
  if (bytes.byteLength > MAX_BYTES) {
    throw new RangeError(`The program must have at most ${MAX_BYTES} bytes to be shared.`);
  }
  const packed = await readUpTo(pass(bytes, new CompressionStream('deflate-raw')), MAX_CHARACTERS);
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return PREFIX + base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** Returns the program in the fragment of a link, or undefined if there is none or it is damaged. */
export const fromFragment = async (fragment: string): Promise<string | undefined> => {
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_CHARACTERS) {
    return undefined;
  }
  try {
    const binary = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const bytes = await readUpTo(pass(packed, new DecompressionStream('deflate-raw')), MAX_BYTES);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
