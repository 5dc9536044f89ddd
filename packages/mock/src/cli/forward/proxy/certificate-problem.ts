/** An authority that Node does not know issued the certificate, or nobody but the service itself. */
const UNTRUSTED: readonly unknown[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** What to do about an error of TLS, by its code in Node; `undefined` for any other error. */
export const certificateProblem = (code: unknown): string | undefined => {
  if (UNTRUSTED.includes(code)) {
    return `its certificate is not trusted (${code}). If its authority is your own, start this proxy with NODE_EXTRA_CA_CERTS set to the file of the authority's certificate.`;
  }
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is valid for other host names only (${code}). Check --forward.`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `its certificate is out of date (${code}), or the clock of this machine is wrong`;
    default:
      return undefined;
  }
};
