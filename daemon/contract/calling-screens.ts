/** Screens with the button "Panggil staf". */
export const CALLING_SCREENS = ['/', '/payment-method', '/cash-payment', '/edc-bca-payment', '/non-cash-payment'] as const;
export type CallingScreen = (typeof CALLING_SCREENS)[number];
