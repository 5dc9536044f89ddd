/** An input in the form of an HTTP message: a line, headers, an empty line and a body. */
export interface Message {
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Reads an input as a message. Whatever is missing is empty; names and values are bytes, as HTTP sends them. */
export const readMessage = (input: Uint8Array): Message => {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const end = bytes.indexOf('\n\n');
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
  const [line = '', ...fields] = head.split('\n');
  return {
    line,
    headers: fields.map((field) => {
      const colon = field.indexOf(':');
      return colon < 0 ? [field, ''] : [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
    body: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 2),
  };
};

/** The headers of a message that `Headers` accepts. */
export const toHeaders = ({ headers }: Pick<Message, 'headers'>): Headers => {
  const accepted = new Headers();
  for (const [name, value] of headers) {
    try {
      accepted.append(name, value);
    } catch {
      // It could not have arrived.
    }
  }
  return accepted;
};
