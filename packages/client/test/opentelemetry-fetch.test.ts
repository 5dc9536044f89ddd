import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';
import { instrument } from '../src/opentelemetry/index.ts';
import { ids, KEY, lead } from './support/data.ts';
import { keepContext } from './support/keep-context.ts';

test("the user's fetch runs in the context of its attempt, even if calls overlap", async () => {
  keepContext();
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const fetch = async (url: string) => {
    trace.getActiveSpan()?.setAttribute('of', url);
    return Response.json({ success: true, data: lead });
  };
  const options = { baseUrl: 'https://api.example.com', apiKey: KEY, fetch };
  const confab = createClient(instrument(options, { tracer: provider.getTracer('test') }));
  await Promise.all([confab.leads.get(ids.lead), confab.leads.list().catch(() => {})]);

  const attempts = exporter.getFinishedSpans().filter(({ attributes }) => 'url.full' in attributes);
  expect(attempts).toHaveLength(2);
  for (const { attributes } of attempts) {
    expect(attributes.of).toBe(attributes['url.full']);
  }
});
