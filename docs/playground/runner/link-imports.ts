import { parse } from 'es-module-lexer/js';

/**
 * Replaces the specifiers of a program's imports with the addresses of modules.
 *
 * @throws An {@link Error} when the program imports a module that the playground does not have.
 */
export const linkImports = (code: string, addresses: ReadonlyMap<string, string>): string => {
  const [imports] = parse(code);
  let linked = '';
  let end = 0;
  for (const found of imports) {
    if (typeof found.specifier !== 'string') {
      continue;
    }
    const address = addresses.get(found.specifier);
    if (address === undefined) {
      const known = [...addresses.keys()].join(', ');
      throw new Error(`Cannot import "${found.specifier}". The playground has these modules: ${known}.`);
    }
    // The range of a specifier includes the quotes only in a dynamic import.
    linked += code.slice(end, found.start) + (found.type === 'dynamic' ? JSON.stringify(address) : address);
    end = found.end;
  }
  return linked + code.slice(end);
};
