import { createHash } from 'node:crypto';
import { SANDBOX_SCRIPT } from '../playground/sandbox.ts';

const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs;

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * Gives a page a content security policy: it requests nothing from another origin, and runs no script but the site's.
 * The frame in which the playground runs a program inherits this policy, so it allows that frame's script and workers.
 */
export const addContentSecurityPolicy = (html: string): string => {
  const inline = [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => hashOf(script));
  const policy = [
    "default-src 'self'",
    `script-src 'self' blob: ${[...new Set([...inline, hashOf(SANDBOX_SCRIPT)])].join(' ')}`,
    "worker-src 'self' blob:",
    // VitePress and the editor set styles of elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // A policy applies only to what follows it.
  return html.replace(
    /<meta charset="utf-8">/,
    (charset) => `${charset}<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
};
