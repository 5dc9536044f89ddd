const isPromise = (value: object): value is Promise<unknown> => 'then' in value;

/**
 * Continues with a value at once if it is here, and later if it is a promise. Most deliveries then need one promise, while
 * each `await` would make another.
 */
export const whenHere = <In extends object, Out>(
  value: In | Promise<In>,
  next: (value: In) => Out,
): Out | Promise<Out> => (isPromise(value) ? value.then(next) : next(value));

/** Returns the values at once if all are here, and a promise for them if one is a promise. */
export const whenAllHere = <Value extends object>(
  values: readonly (Value | Promise<Value>)[],
): readonly Value[] | Promise<readonly Value[]> =>
  values.some(isPromise) ? Promise.all(values) : (values as readonly Value[]);
