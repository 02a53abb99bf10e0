/** Staff find the note in the journal by the beginning of its id. */
export const noteReference = (noteId: string): string => noteId.slice(0, 8);
