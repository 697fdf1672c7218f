import type { MediaImage } from '../../domain/media.ts'

/** See `covering` and `inBox` in `theme/layout-widths.ts`. */
const COVER = / \* cover\(([\d.]+)\)/g
const WITHIN = /within\(([\d.]+)rem, ([\d.]+)rem\)/g
/** A width that does not depend on the screen. */
const FIXED = /^(?:calc\()?([\d.]+)(rem|px)(?: \* ([\d.]+))?\)?$/
/** CSS pixels of a `rem` in `sizes`: those of the browser's default font size. */
const REM = 16

/** Width of an image for the attribute `sizes`. */
export interface ShownWidth {
  readonly sizes: string
  /** The image is wider than its box, which shows a part of it. */
  readonly isCut: boolean
}

/** @param sizes as a template wrote it, with `cover()` and `within()`. */
export function shownWidth(
  sizes: string,
  { width, height }: Pick<MediaImage, 'width' | 'height'>,
): ShownWidth {
  const ratio = width / height
  let isCut = false
  const resolved = sizes
    .replaceAll(COVER, (_, box: string) => {
      const factor = ratio / Number(box)
      isCut ||= factor > 1
      return factor > 1 ? ` * ${rounded(factor)}` : ''
    })
    .replaceAll(
      WITHIN,
      (_, most: string, tall: string) => `${rounded(Math.min(Number(most), Number(tall) * ratio))}rem`,
    )
  return { sizes: resolved, isCut }
}

/** In CSS pixels; null for a width that depends on the screen. */
export function fixedWidth(sizes: string): number | null {
  const [, length, unit, factor = '1'] = FIXED.exec(sizes) ?? []
  return length === undefined ? null : Number(length) * Number(factor) * (unit === 'rem' ? REM : 1)
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
