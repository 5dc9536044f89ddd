/** Milliseconds after which the server deletes a world that the load has abandoned. */
export const WORLD_TTL_MS = 20_000;
