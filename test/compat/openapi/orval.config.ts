export default {
  confab: {
    input: '../../packages/client/openapi.json',
    output: { target: 'generated/orval.ts', client: 'fetch', baseUrl: process.env.CONFAB_BASE_URL },
  },
};
