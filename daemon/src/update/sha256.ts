import { createHash } from 'node:crypto';

/** @returns hex */
export const sha256OfBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
