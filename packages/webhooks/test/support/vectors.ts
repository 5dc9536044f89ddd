import type { SignatureOptions } from '@confab/webhooks';
import published from './vectors/hmac-sha256.json' with { type: 'json' };

/** A published signature, with its secret and body as bytes. */
export interface Vector {
  readonly source: string;
  readonly secret: Uint8Array<ArrayBuffer>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signature: SignatureOptions;
  readonly headers: Record<string, string>;
}

const bytes = (utf8: string | undefined, hex: string | undefined) =>
  utf8 === undefined ? new Uint8Array(Buffer.from(hex ?? '', 'hex')) : new TextEncoder().encode(utf8);

/** Published vectors of GitHub, octokit and RFC 4231. */
export const vectors: readonly Vector[] = published.vectors.map((vector) => {
  const { prefix = '' } = vector;
  return {
    source: vector.source,
    secret: bytes(vector.secretUtf8, vector.secretHex),
    body: bytes(vector.bodyUtf8, vector.bodyHex),
    signature: { header: 'X-Signature', encoding: 'hex', prefix },
    headers: { 'x-signature': prefix + vector.signature },
  };
});
