/**
 * @returns the address from which the page may load this picture. The daemon fetches pictures from
 * other hosts for it.
 */
export const pictureAddress = (url: string): string => (/^https?:\/\//i.test(url) ? `/kiosk/picture?url=${encodeURIComponent(url)}` : url);
