const PICTURE = /\.(png|jpe?g|gif|svg|webp|avif|ico)$/i
const OTHER = /\.(pdf|mp4|webm|mov|mp3|m4a|ogg|wav|vtt|woff2?|txt|csv|zip|ics)$/i

export function isPicture(path: string): boolean {
  return PICTURE.test(path)
}

/**
 * Reports whether a file next to pages is served unchanged: an image, a document, a recording, a font or a download.
 */
export function isAsset(path: string): boolean {
  return PICTURE.test(path) || OTHER.test(path)
}
