import type { Confab, Lead, LeadStatus } from '@confab/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeStatus, leadsQuery } from './queries.ts';

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
  const [status, setStatus] = useState<LeadStatus>('new');
  const { data, error } = useQuery({ ...leadsQuery(confab, status), placeholderData: keepPreviousData });
  const change = useMutation(changeStatus(confab, useQueryClient()));
  const problem = error ?? change.error;
  return (
    <>
      <h1>Leads</h1>
      <StatusSelect label="Show" value={status} onChange={setStatus} />
      {problem && <p role="alert">{problem.message}</p>}
      {data && <output>{data.total} in all</output>}
      <ul aria-label="Leads">
        {data?.leads.map((lead) => (
          <li key={lead.id}>
            <span>{nameOf(lead)}</span>{' '}
            <StatusSelect
              label={`Status of ${nameOf(lead)}`}
              value={lead.status}
              onChange={(to) => change.mutate({ id: lead.id, status: to })}
            />
          </li>
        ))}
      </ul>
    </>
  );
};
