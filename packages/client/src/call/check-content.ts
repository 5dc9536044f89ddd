/** Names the class of an object: `Object`, `Map`. Unlike `instanceof`, it works for objects of another realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const nameOf = (value: unknown): string => {
  const tag = tagOf(value);
  return /^(?:Null|Undefined)$/.test(tag) ? tag.toLowerCase() : `a ${tag}`.replace(/^a (?=[AO])/, 'an ');
};

/** Returns what is wrong with a query whose parameters would be lost, as those of a Map would be. */
export const queryProblem = (query: unknown): string | undefined =>
  query === undefined || (typeof query === 'object' && tagOf(query) === 'Object')
    ? undefined
    : `must be a plain object such as { page: 2 }, got ${nameOf(query)}`;

/** Returns what is wrong with a body that JSON would turn into `{}` or nothing, as it does with a FormData or a function. */
export const bodyProblem = (body: unknown): string | undefined => {
  const isLost =
    /^(?:function|symbol)$/.test(typeof body) ||
    (typeof body === 'object' &&
      !/^(?:Object|Array|Null)$/.test(tagOf(body)) &&
      typeof Object(body).toJSON !== 'function');
  return isLost ? `must be JSON data, got ${nameOf(body)}` : undefined;
};
