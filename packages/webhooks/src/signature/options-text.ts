/** Writes options as code, without those that are not set: `{"header":"x-sig"}`, or nothing. */
export const optionsText = (options: object): string => {
  const text = JSON.stringify(options);
  return text === '{}' ? '' : text;
};
