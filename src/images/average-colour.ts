/** Shares of a pixel above which it counts as opaque. */
const OPAQUE = 250

/**
 * The average colour as `#rrggbb`; null if a part of the image is transparent, where the page shines through.
 *
 * @param rgba four bytes a pixel.
 */
export function averageColour(rgba: Uint8Array): string | null {
  const sum = [0, 0, 0]
  for (let at = 0; at < rgba.length; at += 4) {
    if ((rgba[at + 3] ?? 0) < OPAQUE) return null
    for (const channel of [0, 1, 2]) sum[channel] = (sum[channel] ?? 0) + (rgba[at + channel] ?? 0)
  }
  const average = sum.map((value) => Math.round(value / (rgba.length / 4)))
  return `#${average.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
