import { type Rupiah, rupiah } from '@kiosk/contract/money';
import type { MoneyBook } from './money-book.ts';
import type { PaymentKey } from './records.ts';

/** @returns the change that no record shows as given to the customer, rupiah */
export function owedChange(money: Pick<MoneyBook, 'balanceOf' | 'ownMoney'>, key: PaymentKey): Rupiah {
	const { state, excess } = money.balanceOf(key);
	return rupiah(state === 'paid' ? Math.min(excess, money.ownMoney(key)) : 0);
}
