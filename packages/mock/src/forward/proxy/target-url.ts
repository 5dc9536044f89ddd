import { pathProblem } from '@confab/internal';
import { invalid } from '../../errors/refusal.ts';
import type { BaseUrl } from '../../request/call.ts';

/**
 * The URL of the service for the target of a request.
 *
 * @param target The path and query, as the request line has them.
 * @throws {@link Refusal} 400, when the path could lead anywhere but below the base URL.
 */
export const targetUrl = ({ href }: BaseUrl, target: string): URL => {
  const [path = ''] = target.split('?', 1);
  const problem = pathProblem(path);
  if (problem !== undefined) {
    throw invalid(`The path ${problem}`);
  }
  return new URL(href + target);
};
