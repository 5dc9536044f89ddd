import type { Confab, Lead, LeadStatus } from '@confab/client';
import { useLeads } from './use-leads.ts';

const STATUSES: readonly LeadStatus[] = ['new', 'active', 'qualified', 'converted', 'lost'];

interface StatusSelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (status: LeadStatus) => void;
}

const StatusSelect = ({ label, value, onChange }: StatusSelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as LeadStatus)}>
    {STATUSES.map((status) => (
      <option key={status}>{status}</option>
    ))}
  </select>
);

const nameOf = ({ displayName, phone, id }: Lead): string => displayName ?? phone ?? id;

/** Lists the leads of one status, each with a menu to change its status. */
export const Leads = ({ confab }: { readonly confab: Confab }) => {
  const { status, leads, total, error, show, change } = useLeads(confab);
  return (
    <>
      <h1>Leads</h1>
      <StatusSelect label="Show" value={status} onChange={show} />
      {error && <p role="alert">{error.message}</p>}
      {leads && <output>{total} in all</output>}
      <ul aria-label="Leads">
        {leads?.map((lead) => (
          <li key={lead.id}>
            <span>{nameOf(lead)}</span>{' '}
            <StatusSelect
              label={`Status of ${nameOf(lead)}`}
              value={lead.status}
              onChange={(to) => change(lead.id, to)}
            />
          </li>
        ))}
      </ul>
    </>
  );
};
