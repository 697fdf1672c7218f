/** The size of a video in CSS pixels as it is shown: upright, and with square pixels. */
export interface VideoSize {
  readonly width: number
  readonly height: number
}

/** A file with larger sides is no video but damaged or hostile. */
const MAX_SIDE = 16_384

/** Returns the size of a video; null if it is impossible. */
export function videoSize(width: number, height: number): VideoSize | null {
  const size = { width: Math.round(width), height: Math.round(height) }
  const isPossible = [size.width, size.height].every((side) => side >= 1 && side <= MAX_SIDE)
  return isPossible ? size : null
}
