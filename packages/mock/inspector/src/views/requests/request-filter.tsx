import type { LoggedRequest } from '../../api/types.ts';
import { SelectField } from '../../ui/fields.tsx';

/** Which requests are shown. */
export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly outcome: string;
}

export const NO_FILTER: Filter = { text: '', operation: '', outcome: '' };

const OUTCOMES = [
  ['', 'All'],
  ['2', 'Success'],
  ['4', 'Refused (4xx)'],
  ['5', 'Failed (5xx)'],
  ['none', 'No response'],
  ['fault', 'With a fault'],
] as const;

const hasOutcome = ({ status, fault }: LoggedRequest, outcome: string): boolean => {
  if (outcome === 'fault') {
    return fault !== undefined;
  }
  return outcome === 'none' ? status === undefined : String(status ?? '').startsWith(outcome);
};

/** Whether a filter selects a request. */
export const matches = (request: LoggedRequest, { text, operation, outcome }: Filter): boolean =>
  (operation === '' || request.operation === operation) &&
  hasOutcome(request, outcome) &&
  JSON.stringify([request.method, request.path, request.search, request.body ?? ''])
    .toLowerCase()
    .includes(text.toLowerCase());

interface RequestFilterProps {
  readonly filter: Filter;
  readonly operations: readonly string[];
  readonly onChange: (filter: Filter) => void;
}

/** The fields of a {@link Filter}. */
export const RequestFilter = ({ filter, operations, onChange }: RequestFilterProps) => (
  <search class="filters">
    <div class="field">
      <label for="request-text">Path or body</label>
      <input
        id="request-text"
        type="search"
        value={filter.text}
        onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      />
    </div>
    <SelectField
      label="Operation"
      name="operation"
      value={filter.operation}
      options={[['', 'All'], ...operations.map((operation) => [operation, operation] as const)]}
      onChange={(operation) => onChange({ ...filter, operation })}
    />
    <SelectField
      label="Outcome"
      name="outcome"
      value={filter.outcome}
      options={OUTCOMES}
      onChange={(outcome) => onChange({ ...filter, outcome })}
    />
  </search>
);
