/** Made by the plugin when the site is built. */
declare module 'virtual:playground/declarations' {
  /** Declarations of the packages, by the addresses at which TypeScript finds them. */
  const declarations: readonly { readonly filePath: string; readonly content: string }[];

  export { declarations };
}

declare module 'virtual:playground/runner' {
  /** The code of the worker that runs programs. */
  const runner: string;

  export { runner };
}
