import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const DAY = 24 * 60 * 60 * 1000;

const createKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/**
 * Creates a certificate for this machine, issued by an authority of its own.
 *
 * The private key of the authority is discarded, so a user who trusts the authority trusts only this server. Returns the
 * certificate of the authority (`ca`), and that of this machine (`cert`) with its `key`, in PEM.
 *
 * @param names Host names and addresses in addition to `localhost`, `127.0.0.1` and `::1`.
 */
export const createLocalCertificate = async (names: readonly string[] = []) => {
  const [authority, own] = await Promise.all([createKeys(), createKeys()]);
  // From yesterday, because the clocks of other machines may be slow.
  const validity = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + 365 * DAY) };
  const common = { ...validity, signingAlgorithm: ALGORITHM };
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: 'CN=confab-mock authority of one run',
    keys: authority,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const all = new Set(['localhost', '127.0.0.1', '::1', ...names]);
  const cert = await x509.X509CertificateGenerator.create({
    ...common,
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: own.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        [...all].map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', own.privateKey);
  return {
    cert: cert.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
    ca: ca.toString('pem'),
  };
};
