/**
 * Names and invoice numbers come from servers and files. Control characters in them could change
 * the output on the technician's terminal.
 * @returns the text with `?` for control and invisible characters other than line ends and tabs
 */
export const terminalText = (text: string): string => text.replace(/[^\P{C}\n\t]/gu, '?');
