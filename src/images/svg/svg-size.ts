import type { ImageFacts } from '../../domain/image.ts'
import { badImage } from '../image-error.ts'
import { xmlTokens } from './xml-tokens.ts'

/** CSS pixels of a unit. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
  rem: 16,
  ex: 8,
}

/** The size that browsers give to an image without one. */
const DEFAULT = { width: 300, height: 150 }
/** Larger than any page; such a file would only make browsers work. */
const MAX_SIDE = 65_535

/**
 * The size in CSS pixels from `width`, `height` and `viewBox`, rounded. One that is missing, or relative to the page,
 * follows from the proportions of the others.
 *
 * @throws {ServiceError} `validation_error` for a size that no page has.
 */
export function svgSize(attributes: ReadonlyMap<string, string>): Pick<ImageFacts, 'width' | 'height'> {
  const width = pixels(attributes.get('width'))
  const height = pixels(attributes.get('height'))
  const box = viewBox(attributes.get('viewBox'))
  const ratio = box === null ? DEFAULT.width / DEFAULT.height : box.width / box.height
  if (width !== null) return rounded(width, height ?? width / ratio)
  if (height !== null) return rounded(height * ratio, height)
  return rounded(box?.width ?? DEFAULT.width, box?.height ?? DEFAULT.height)
}

/**
 * The size of a document as `svgSize`. Reads no further than its first element.
 *
 * @throws {ServiceError} `validation_error` for a document that begins with another element, or is not well formed up
 *   to there.
 */
export function svgDocumentSize(source: string): Pick<ImageFacts, 'width' | 'height'> {
  for (const token of xmlTokens(source.replace(/^\ufeff/, '')))
    if (token.kind === 'start' && /^(?:svg:)?svg$/.test(token.name)) return svgSize(token.attributes)
    else if (token.kind !== 'text') break
  throw badImage('The file is no SVG: its first element is not "svg".')
}

function pixels(length: string | undefined): number | null {
  const [, number = '', unit = ''] =
    /^\s*\+?((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,2})?)([a-z]*)\s*$/i.exec(length ?? '') ?? []
  const factor = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined
  const value = Number(number) * (factor ?? 0)
  return number !== '' && value > 0 ? value : null
}

function viewBox(text: string | undefined): Pick<ImageFacts, 'width' | 'height'> | null {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [, , width = 0, height = 0] = numbers
  return numbers.length === 4 && width > 0 && height > 0 ? { width, height } : null
}

function rounded(width: number, height: number): Pick<ImageFacts, 'width' | 'height'> {
  const size = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
  if (size.width <= MAX_SIDE && size.height <= MAX_SIDE) return size
  throw badImage(
    `The SVG is ${size.width} × ${size.height} pixels, more than ${MAX_SIDE} on one side. Give it a smaller width and height.`,
  )
}
