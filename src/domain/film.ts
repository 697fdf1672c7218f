/** The size of a film in CSS pixels, as it is shown: turned upright, and with pixels that are square. */
export interface FilmSize {
  readonly width: number
  readonly height: number
}

/** Larger sides are no film but a damaged or hostile file. */
const MAX_SIDE = 16_384

/** Null for a size that no film has. */
export function filmSize(width: number, height: number): FilmSize | null {
  const size = { width: Math.round(width), height: Math.round(height) }
  const isPossible = [size.width, size.height].every((side) => side >= 1 && side <= MAX_SIDE)
  return isPossible ? size : null
}
