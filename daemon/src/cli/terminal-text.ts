/**
 * Names and numbers come from servers and files: control characters in them could rewrite what the
 * technician's terminal shows.
 * @returns the text with `?` for control and invisible characters other than line ends and tabs
 */
export const terminalText = (text: string): string => text.replace(/[^\P{C}\n\t]/gu, '?');
