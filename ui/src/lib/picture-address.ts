/** @returns where the page may load a picture: other hosts only through the daemon */
export const pictureAddress = (url: string): string => (/^https?:\/\//i.test(url) ? `/kiosk/picture?url=${encodeURIComponent(url)}` : url);
