import { expect, test } from 'vitest';
import { LANGUAGES } from './language.ts';
import { amountWords, numberWords, sentencesOf } from './spoken.ts';

test.each([
	[0, 'nol rupiah', 'zero rupiah'],
	[500, 'lima ratus rupiah', 'five hundred rupiah'],
	[1_000, 'seribu rupiah', 'one thousand rupiah'],
	[11_000, 'sebelas ribu rupiah', 'eleven thousand rupiah'],
	[17_100, 'tujuh belas ribu seratus rupiah', 'seventeen thousand one hundred rupiah'],
	[137_500, 'seratus tiga puluh tujuh ribu lima ratus rupiah', 'one hundred thirty seven thousand five hundred rupiah'],
	[1_001_020, 'satu juta seribu dua puluh rupiah', 'one million one thousand twenty rupiah'],
	[201_000_012, 'dua ratus satu juta dua belas rupiah', 'two hundred one million twelve rupiah'],
	[1_000_000_000, '', ''],
])('%i rupiah is spoken as people say it; a billion or more is not spoken', (amount, indonesian, english) => {
	expect(amountWords(amount, 'id').join(' ')).toBe(indonesian);
	expect(amountWords(amount, 'jv').join(' ')).toBe(indonesian);
	expect(amountWords(amount, 'en').join(' ')).toBe(english);
});

test('the words to record are exactly the words that occur in amounts', () => {
	for (const language of LANGUAGES) {
		const said = new Set<string>();
		for (let amount = 0; amount < 1_000; amount += 1)
			for (const word of [...amountWords(amount, language), ...amountWords(amount * 1_000, language)]) said.add(word);
		for (const word of amountWords(2_000_000, language)) said.add(word);
		expect(numberWords(language).sort()).toEqual([...said].sort());
	}
});

test('a text is split into sentences; punctuation without words is not spoken', () => {
	expect(sentencesOf('Tunggu sebentar. Masih di sana? Memproses… Ya')).toEqual(['Tunggu sebentar.', 'Masih di sana?', 'Memproses…', 'Ya']);
	expect(sentencesOf('#')).toEqual([]);
});
