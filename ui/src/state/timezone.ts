import { useAppSelector } from './store.ts';

/** Used until the settings are known. Until then the screen shows no times. */
const UNKNOWN_ZONE = 'Asia/Jakarta';

/** @returns the site's time zone in the settings; the computer's time zone may be another */
export const useTimezone = (): string => useAppSelector((state) => state.settings?.timezone ?? UNKNOWN_ZONE);
