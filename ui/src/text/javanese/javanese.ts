import type { Catalogue } from '../catalogue.ts';
import { acceptor } from './acceptor.ts';
import { edc } from './edc.ts';
import { guides } from './guides.ts';
import { nonCash } from './non-cash.ts';
import { payment } from './payment.ts';
import { returns } from './returns.ts';
import { screens } from './screens.ts';

export const javanese: Catalogue = { acceptor, edc, nonCash, payment, returns, screens, guides };
