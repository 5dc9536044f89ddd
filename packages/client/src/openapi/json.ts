/** A JSON object of the document. */
export type Json = Record<string, unknown>;

/** A reference to a component: `#/components/schemas/Lead`. */
export const refTo = (
  section: 'schemas' | 'parameters' | 'headers' | 'responses',
  name: string,
): { $ref: string } => ({ $ref: `#/components/${section}/${name}` });

/** `leadStatus` → `LeadStatus`. */
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
