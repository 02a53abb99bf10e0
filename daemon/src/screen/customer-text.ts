/** The few sentences of the daemon itself that a customer reads. All other wording is the screen's. */
export const customerText = {
	tooManyLookups: (seconds: number): string => `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.`,
	paidByCard: 'Invoice ini sedang dibayar dengan kartu. Jangan bayar lagi, hubungi staf.',
	/** How a receipt names a payment where the back office has no words for it. */
	method: {
		cash: 'Tunai',
		card: 'Kartu Debit BCA',
		qris: 'QRIS',
		va: (bank: string): string => `Virtual Account ${BANKS[bank] ?? bank.toUpperCase()}`.trim(),
		other: '-',
	},
};

const BANKS: Record<string, string> = { bca: 'BCA', mandiri: 'Mandiri', bni: 'BNI' };
