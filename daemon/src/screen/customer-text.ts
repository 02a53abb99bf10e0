/** The few sentences of the daemon itself that a customer reads. All other wording is the screen's. */
export const customerText = {
	tooManyLookups: (seconds: number): string => `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.`,
	tooManyPins: (seconds: number): string => `Terlalu banyak PIN yang salah. PIN dapat dicoba lagi dalam ${seconds} detik.`,
	paidByCard: 'Invoice ini sedang dibayar dengan kartu. Jangan bayar lagi, hubungi staf.',
};
