/**
 * @returns the address from which the page may load a picture; the daemon fetches pictures of other
 * hosts
 */
export const pictureAddress = (url: string): string => (/^https?:\/\//i.test(url) ? `/kiosk/picture?url=${encodeURIComponent(url)}` : url);
