import { traced } from '../clients.js';

export default async function Page() {
  const { done, failed } = await traced.leads.ensureMany([{ phone: '+442079460958' }]);
  return `imported: ${done - failed}`;
}
