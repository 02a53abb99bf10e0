import { useAppSelector } from './store.ts';

/** Until the settings are known the screen shows no times. */
const UNKNOWN_ZONE = 'Asia/Jakarta';

/** @returns the site's time zone from the settings, independent of the machine's */
export const useTimezone = (): string => useAppSelector((state) => state.settings?.timezone ?? UNKNOWN_ZONE);
