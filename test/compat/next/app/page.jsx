import { fresh } from './clients.js';

export default async function Page() {
  const agents = await fresh.agents.list();
  return agents.map(({ name }) => name).join();
}
