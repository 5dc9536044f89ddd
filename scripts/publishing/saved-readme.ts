/** Keeps a package's README while the one with absolute links is packed. Not named README, which npm would pack too. */
export const SAVED = '.saved-readme';
