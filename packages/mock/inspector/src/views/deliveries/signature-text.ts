/** A signature in a few words: `signed in x-webhook-signature, as hex`. */
export const signatureText = (signature: unknown): string => {
  if (typeof signature === 'string') {
    return `signed with ${signature}`;
  }
  const { header, encoding, name } = (signature ?? {}) as Partial<Record<string, unknown>>;
  if (typeof header === 'string') {
    return `signed in ${header}${typeof encoding === 'string' ? `, as ${encoding}` : ''}`;
  }
  return typeof name === 'string' ? `signed with ${name}` : `signed: ${JSON.stringify(signature)}`;
};
