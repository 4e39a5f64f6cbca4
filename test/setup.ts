import fc from 'fast-check';
import './support/quickEquality.ts';
import { seed } from './support/seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
