/** What an error adds when the service may have acted on a request that is not idempotent. */
export const doubtAbout = (idempotent: boolean): string =>
  idempotent
    ? ''
    : ' The service may have acted: check before you send it again, or set `retry.nonIdempotent`.';
