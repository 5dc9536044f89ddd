import type { LoggedRequest } from '../../api/types.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Details, JsonView, StatusBadge, Time, valueIn } from '../../ui/text.tsx';

/** How long a request took on the clock of the mock. */
export const durationText = ({ durationMs }: LoggedRequest): string => `${Math.round(durationMs)} ms`;

/** The details of a logged request, beginning with the reason if it was refused. */
export const RequestPanel = ({ request }: { readonly request: LoggedRequest }) => {
  const { method, path, search, operation, status, keyId, at, body, bodyTruncated } = request;
  const { error, responseBody, responseTruncated, fault } = request;
  return (
    <Dialog title={operation ?? `${method} ${path}`}>
      {error !== undefined && (
        <p class="notice bad">
          <code>{error.code}</code> {error.message}
        </p>
      )}
      <Details
        rows={[
          ['Request', <code key="path">{`${method} ${path}`}</code>],
          ['Query', search === '' ? undefined : <code key="search">{search}</code>],
          ['Status', <StatusBadge key="status" status={status} />],
          ['Duration', durationText(request)],
          ['Time', <Time key="time" at={at} />],
          ['Fault', fault && <code key="fault">{JSON.stringify(fault)}</code>],
          ['Key', keyId === undefined ? 'No valid key' : <code key="key">{keyId}</code>],
        ]}
      />
      <h3>Body</h3>
      {body === undefined ? <p>The request had no body.</p> : <JsonView value={body} label="Body" />}
      {bodyTruncated && <p class="sub">The log keeps only the beginning of the body of a refused request.</p>}
      <h3>Response</h3>
      {responseBody ? (
        <JsonView value={valueIn(responseBody)} label="Response" />
      ) : (
        <p>{responseBody === '' ? 'The response has no body.' : 'No response.'}</p>
      )}
      {responseTruncated && <p class="sub">The log keeps only the beginning of a response.</p>}
    </Dialog>
  );
};
