import { expect, test } from 'vitest';
import { JOB_GROUP, readIppAnswer } from './ipp-answer.ts';

const HEAD = [1, 1, 0, 0, 0, 0, 0, 7];
const field = (text: string): number[] => [0, text.length, ...Buffer.from(text)];
const number = (name: string, value: number): number[] => [0x21, ...field(name), 0, 4, 0, 0, 0, value];
const read = (...bytes: number[]) => readIppAnswer(Buffer.from([...HEAD, ...bytes]));

test('the parser reads integers, texts, attributes with several values or none, and several groups', () => {
	const keyword = [0x44, ...field('reasons'), ...field('paper'), 0x44, 0, 0, ...field('cover')];
	const none = [0x13, ...field('time'), 0, 0];
	const { status, requestId, groups } = read(1, 2, ...number('job-id', 5), ...keyword, ...none, 2, ...number('job-id', 6), 3);
	expect({ status, requestId }).toEqual({ status: 0, requestId: 7 });
	expect(groups.map(({ tag }) => tag)).toEqual([1, JOB_GROUP, JOB_GROUP]);
	expect(Object.fromEntries(groups[1]?.attributes ?? [])).toEqual({ 'job-id': [5], reasons: ['paper', 'cover'], time: [] });
	expect(groups[2]?.attributes.get('job-id')).toEqual([6]);
});

test('a response that lacks only its end tag is read; a truncated response is refused', () => {
	expect(read(2, ...number('job-id', 5)).groups).toHaveLength(1);
	for (let length = 1; length < 15; length += 1)
		expect(() => read(2, ...number('job-id', 5).slice(0, length)), String(length)).toThrow('cut off');
});

test.each([
	['a negative length', [1, 0x47, ...field('charset'), 0xe6, 0x66, 0x2d], 'cut off'],
	['an integer that is not four bytes long', [2, 0x21, ...field('job-id'), 0, 2, 0, 5, 3], 'a number of 2 bytes'],
	['a value before any attribute', [2, 0x44, 0, 0, ...field('paper'), 3], 'belongs to no attribute'],
] as const)('%s is refused', (_what, bytes, reason) => {
	expect(() => read(...bytes)).toThrow(reason);
});
