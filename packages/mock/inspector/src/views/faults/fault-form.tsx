import { readJson, send } from '../../api/call.ts';
import { run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/fields.tsx';
import type { Texts } from '../../ui/form.tsx';
import { jsonIn } from '../../ui/form.tsx';
import { valueIn } from '../../ui/text.tsx';
import { Problem } from '../../ui/view.tsx';
import { NETWORK } from './fault-text.ts';

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** The names of the API's operations, from the OpenAPI document of the mock. */
const loadOperations = async (): Promise<readonly string[]> => {
  const { paths } = await readJson<ApiDocument>(await send('../openapi.json'));
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId }) => operationId ?? [])
    .sort();
};

/** Parses the lines of a text as headers: `retry-after: 2`. */
const headersIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [, name, value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
        if (name === undefined) {
          throw new Error(`Write each of the \`headers\` as “name: value”, not as “${line}”.`);
        }
        return [name, value];
      }),
  );

/** Builds the fault that the fields describe. Empty fields are left out. */
const faultIn = (texts: Texts): object => {
  const { status, code, headers, delayMs, bytesPerSecond, network, body } = texts;
  return {
    status: status && Number(status),
    delayMs: delayMs && Number(delayMs),
    bytesPerSecond: bytesPerSecond && Number(bytesPerSecond),
    code,
    headers: headers && headersIn(headers),
    network,
    body: body && valueIn(body),
    match: jsonIn(texts, 'match'),
  };
};

/** Plans a custom fault for one operation, or for all of them. */
export const FaultForm = () => {
  const { value: operations = [], problem } = useLive([], loadOperations);
  return (
    <FormDialog
      title="Plan a fault"
      submit="Plan it"
      onSubmit={async (texts) => {
        const { operation, times } = texts;
        const body = { operation, fault: faultIn(texts), once: times !== undefined };
        for (let left = Number(times ?? 1); left > 0; left -= 1) {
          await run('faults.plan', { body, done: 'Fault planned.' });
        }
      }}
    >
      <Problem text={problem} />
      <Field
        type="choice"
        label="Operation"
        name="operation"
        options={[['*', 'Every request'], ...operations.map((id) => [id, id] as const)]}
      />
      <Field
        type="area"
        label="Only requests that match"
        name="match"
        placeholder={'{ "params": { "id": "…" } }'}
        hint="JSON with any of params, query, headers and body. Empty for all requests."
      />
      <div class="columns">
        <Field
          label="How many times"
          name="times"
          type="number"
          min={1}
          max={100}
          value="1"
          hint="Empty for always."
        />
        <Field label="Status" name="status" type="number" min={200} placeholder="503" />
        <Field label="Code" name="code" placeholder="INTERNAL_ERROR" />
        <Field label="Delay in ms" name="delayMs" type="number" min={0} />
        <Field label="Bytes per second" name="bytesPerSecond" type="number" min={1} />
        <Field
          type="choice"
          label="Connection"
          name="network"
          options={[['', 'Works'], ...Object.entries(NETWORK)]}
        />
      </div>
      <Field
        type="area"
        label="Headers"
        name="headers"
        placeholder="retry-after: 2"
        hint="One on each line."
      />
      <Field type="area" label="Body" name="body" hint="JSON, or any text." />
    </FormDialog>
  );
};
