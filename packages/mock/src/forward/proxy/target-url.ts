import type { BaseUrl } from '../../hosts/base-url.ts';

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Whether a server that decodes a path before it splits it would find more segments, or leave the folder. */
const isDeceptive = (segment: string): boolean => /[/\\]|^\.\.?$/.test(decoded(segment));

/**
 * The URL of the service for the target of a request; `undefined` when it would lead anywhere but below the base URL.
 *
 * @param target The path and query, as the request line has them.
 */
export const targetUrl = ({ origin, prefix }: BaseUrl, target: string): URL | undefined => {
  const [path = '', ...search] = target.split('?');
  // Not resolved against the base: a target such as //host/path or http://host/path would then name another host.
  if (!path.startsWith('/') || path.includes('\\') || path.split('/').some(isDeceptive)) {
    return undefined;
  }
  const url = URL.parse(`${origin}${prefix}${path}${search.length > 0 ? `?${search.join('?')}` : ''}`);
  const isBelow = url?.origin === origin && url.pathname.startsWith(`${prefix}/`);
  return isBelow ? url : undefined;
};
