/** Reads an environment variable. There may be no `process`, and Deno may deny access to the environment. */
export const environment = (name: string): string | undefined => {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
};
