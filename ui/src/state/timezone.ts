import { useAppSelector } from './store.ts';

/** Placeholder until the settings are known. The screen shows no times before that. */
const UNKNOWN_ZONE = 'Asia/Jakarta';

/** @returns the site's time zone from the settings, independent of the computer's */
export const useTimezone = (): string => useAppSelector((state) => state.settings?.timezone ?? UNKNOWN_ZONE);
