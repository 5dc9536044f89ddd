import type { LoggedRequest } from '../../api/types.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Details } from '../../ui/details.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Time } from '../../ui/time.tsx';
import { durationText } from './duration.ts';

interface RequestPanelProps {
  readonly request: LoggedRequest;
  readonly onClose: () => void;
}

/** Everything that the log knows about a request. */
export const RequestPanel = ({ request, onClose }: RequestPanelProps) => {
  const { method, path, search, operation, status, keyId, at, body, bodyTruncated, error, fault } = request;
  return (
    <Dialog title={operation ?? `${method} ${path}`} onClose={onClose}>
      <Details
        rows={[
          ['Request', <code key="path">{`${method} ${path}`}</code>],
          ['Query', search === '' ? undefined : <code key="search">{search}</code>],
          ['Status', <StatusBadge key="status" status={status} />],
          ['Error', error && `${error.code}: ${error.message}`],
          ['Took', durationText(request)],
          ['Time', <Time key="time" at={at} />],
          ['Key', keyId === undefined ? 'None that is valid' : <code key="key">{keyId}</code>],
        ]}
      />
      <h3>Body</h3>
      {body === undefined ? <p>The request had no body.</p> : <JsonView value={body} label="Body" />}
      {bodyTruncated && (
        <p class="hint">The log keeps only the beginning of the body of a refused request.</p>
      )}
      {fault !== undefined && (
        <>
          <h3>Fault</h3>
          <JsonView value={fault} label="Fault" />
        </>
      )}
    </Dialog>
  );
};
