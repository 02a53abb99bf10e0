import { expect, test } from 'vitest';
import { parseSettings } from './settings.ts';

const URL_LINE = 'url = "http://192.0.2.7:8000/kiosk"';
const read = (lines: string) => parseSettings(`[update]\n${lines}`, undefined);

test('without the section [update] there are no updates over the network', () => {
	const settings = parseSettings('', undefined);
	expect(settings.ok && settings.value.update).toBeUndefined();
});

test('a section with only the folder address is valid', () => {
	expect(read(URL_LINE)).toMatchObject({
		value: { update: { url: 'http://192.0.2.7:8000/kiosk/', channel: 'stable', window: '02:00-05:00' } },
	});
});

test.each([
	['channel = "stable"', 'update.url: is missing'],
	['url = "ftp://192.0.2.7/"', 'which starts with http: or https:'],
	['url = "https://me:secret@192.0.2.7/"', 'the address of a folder'],
	['url = "https://192.0.2.7/?file="', 'the address of a folder'],
	[`${URL_LINE}\nchannel = "../x"`, 'a name such as "stable"'],
	[`${URL_LINE}\nwindow = "2-5"`, 'hours such as "02:00-05:00"'],
	[`${URL_LINE}\ndays = ["monday"]`, 'one of mon, tue'],
	[`${URL_LINE}\ndays = []`, 'at least one day'],
	[`${URL_LINE}\npercent_override = 101`, 'update.percent_override'],
	[`${URL_LINE}\nrate = 0`, 'update.rate'],
])('%j is refused, and the message names what is expected or the setting', (lines, sentence) => {
	const settings = read(lines);
	expect(!settings.ok && settings.error.problems.join('\n')).toContain(sentence);
});
