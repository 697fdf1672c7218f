/** Endings of files that are read. Their bytes then decide. */
const PICTURE_NAME = /\.(jpe?g|png|gif|webp|avif)$/i
/** Smaller files gain nothing from variants: they stay unchanged, and only their dimensions are read. In bytes. */
const TINY = 8_192

/**
 * Reports whether only the size of an image is read: of small files, and of drawings, which scale by themselves. @param
 * size in bytes.
 */
export function isSmallPicture(path: string, size: number): boolean {
  return isDrawing(path) || (PICTURE_NAME.test(path) && size <= TINY)
}

/** Reports whether a file is an SVG by its name. */
export function isDrawing(path: string): boolean {
  return /\.svg$/i.test(path)
}

/** Reports whether a file is read as an image. @param size in bytes. */
export function isPicture(path: string, size: number): boolean {
  return PICTURE_NAME.test(path) && size > TINY
}
