/** A mock that is served with the options that most users have. */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { becomeSubject } from '../subject.ts';

const mock = createMock({ clock: 'system' });
const server = await serve(mock);
becomeSubject(Number(new URL(server.url).port), async () => mock.apiKey);
