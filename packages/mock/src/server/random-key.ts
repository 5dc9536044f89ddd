import { randomBytes } from 'node:crypto';

/** A key that nobody can know, unlike that of a seed, which is the same wherever a mock is created. */
export const randomKey = (): string => `confab_live_${randomBytes(24).toString('base64url')}`;
