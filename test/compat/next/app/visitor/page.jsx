import { cookies } from 'next/headers';
import { visitors } from '../clients.js';

export default async function Page() {
  const leads = [];
  const search = (await cookies()).get('name')?.value;
  for await (const { displayName } of visitors.leads.list({ search }, { prefetch: 2 })) {
    leads.push(displayName);
  }
  return `leads: ${leads.join()}`;
}
