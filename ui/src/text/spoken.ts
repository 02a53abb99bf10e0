import type { Language } from './language.ts';

/**
 * Divides the spoken guidance into the parts that have recordings: sentences of the catalogue, and
 * the words of amounts. Names and phone numbers have none, so they cannot be spoken.
 */

/**
 * @returns the sentences of a text. Sentences are recorded one by one, so that one that several
 * texts contain is recorded only once.
 */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!…]) +/).filter((sentence) => /\p{L}/u.test(sentence));

type Numerals = {
	/** The words for the numbers from 0 to `small.length` - 1. */
	small: readonly string[];
	/** @returns the words for a number from `small.length` to 99 */
	tens: (tens: number, ones: number) => string[];
	hundred: (hundreds: number) => string[];
	thousand: string;
	/** The words for 1,000, if they are not "one" followed by `thousand`. */
	oneThousand: string[];
	million: string;
	currency: string;
	/** The words that only `tens` and `hundred` return. */
	others: readonly string[];
};

const ONES = ['nol', 'satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh', 'delapan', 'sembilan'];
const indonesian: Numerals = {
	small: [...ONES, 'sepuluh', 'sebelas'],
	tens: (tens, ones) => {
		if (tens === 1) return [ONES[ones] ?? '', 'belas'];
		return [ONES[tens] ?? '', 'puluh', ...(ones === 0 ? [] : [ONES[ones] ?? ''])];
	},
	hundred: (hundreds) => (hundreds === 1 ? ['seratus'] : [ONES[hundreds] ?? '', 'ratus']),
	thousand: 'ribu',
	oneThousand: ['seribu'],
	million: 'juta',
	currency: 'rupiah',
	others: ['belas', 'puluh', 'seratus', 'ratus'],
};

const SMALL_ENGLISH =
	'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
		' ',
	);
const TENS_ENGLISH = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const english: Numerals = {
	small: SMALL_ENGLISH,
	tens: (tens, ones) => [TENS_ENGLISH[tens - 2] ?? '', ...(ones === 0 ? [] : [SMALL_ENGLISH[ones] ?? ''])],
	hundred: (hundreds) => [SMALL_ENGLISH[hundreds] ?? '', 'hundred'],
	thousand: 'thousand',
	oneThousand: ['one', 'thousand'],
	million: 'million',
	currency: 'rupiah',
	others: [...TENS_ENGLISH, 'hundred'],
};

/**
 * The words for numbers, by language. Speakers of Javanese also say amounts of money in Indonesian.
 */
const NUMERALS: Record<Language, Numerals> = { id: indonesian, en: english, jv: indonesian };

/** @returns every word that can occur in an amount */
export function numberWords(language: Language): string[] {
	const { small, thousand, oneThousand, million, currency, others } = NUMERALS[language];
	return [...new Set([...small, thousand, ...oneThousand, million, currency, ...others])];
}

const BILLION = 1_000_000_000;

function belowThousand(amount: number, numerals: Numerals): string[] {
	const [hundreds, rest] = [Math.floor(amount / 100), amount % 100];
	const { small } = numerals;
	const low = rest < small.length ? [small[rest] ?? ''] : numerals.tens(Math.floor(rest / 10), rest % 10);
	return [...(hundreds === 0 ? [] : numerals.hundred(hundreds)), ...(rest === 0 ? [] : low)];
}

/**
 * @param amount whole rupiah
 * @returns the words to speak for the amount, e.g. "seratus", "lima", "puluh", "ribu", "rupiah";
 * none for a billion or more
 */
export function amountWords(amount: number, language: Language): string[] {
	const numerals = NUMERALS[language];
	if (amount >= BILLION) return [];
	const [millions, thousands, rest] = [Math.floor(amount / 1_000_000), Math.floor(amount / 1_000) % 1_000, amount % 1_000];
	const words = [
		...(millions === 0 ? [] : [...belowThousand(millions, numerals), numerals.million]),
		...(thousands === 0 ? [] : thousands === 1 ? numerals.oneThousand : [...belowThousand(thousands, numerals), numerals.thousand]),
		...belowThousand(rest, numerals),
	];
	return [...(words.length === 0 ? [numerals.small[0] ?? ''] : words), numerals.currency];
}
