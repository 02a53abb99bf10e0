import type { ProductLine } from './back-office.ts';
import { formatThousands } from './money.ts';

/** One product, see `Receipt`. */
type ReceiptLine = { name: string; qty: number | null; price: number | null; subtotal: number | null };

/** @returns the product line for display and print; its subtotal is rounded to the rupiah */
export function receiptLine({ produk_name, qty, harga }: Pick<ProductLine, 'produk_name' | 'qty' | 'harga'>): ReceiptLine {
	const subtotal = qty === null || harga === null ? null : Math.round(qty * harga) + 0;
	return { name: produk_name, qty, price: harga, subtotal };
}

/** @returns the quantity with a decimal comma, such as "2,5"; '?' if unreadable */
export const formatQuantity = (qty: number | null): string => (qty === null ? '?' : String(qty).replace('.', ','));

/** @returns the amount with sign and dots for thousands; '?' if unreadable */
export const formatShown = (amount: number | null): string => (amount === null ? '?' : formatThousands(amount));
