import { testEachWriting } from './support/redact-writings.ts';

testEachWriting(100);
