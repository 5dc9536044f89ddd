import { readFileSync } from 'node:fs';

/** The version of this package; its manifest is as far from the built command as from this file. */
export const version = (): string => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
};
