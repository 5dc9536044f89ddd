import { worldOf } from '../world.ts';

/** The rows that every server has. */
export const mock = worldOf(1_000);

const response = await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, {
  headers: { 'x-api-key': mock.apiKey },
});

/** The page that is asked for. */
export const page: string = await response.text();
