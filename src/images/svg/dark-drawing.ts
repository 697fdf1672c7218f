import { isDark, parseColour } from '../../domain/colour.ts'
import { ServiceError } from '../../domain/errors.ts'
import { xmlTokens } from './xml-tokens.ts'

/** Attributes and properties that paint, with their values. */
const PAINTS = ['fill', 'stroke', 'stop-color', 'color', 'flood-color'] as const
const PAINT_PROPERTY = /(?:^|[;{\s])(?:fill|stroke|(?:stop|flood)-color|color)\s*:\s*([^;}!]+)/gi
/** Values that paint nothing, or refer to other elements. Without a colour of its own, a drawing is black. */
const NO_COLOUR = /^(?:none|transparent|inherit|currentcolor|url\(.*)$/i
/** Elements whose pixels have colours that are not read here. */
const PICTURES = new Set(['image', 'foreignObject'])

/**
 * Reports whether an SVG has dark colours only, so that it cannot be seen on a dark page. False if unknown: the SVG is
 * incomplete, holds an image, follows the reader's mode, or has a colour in another notation.
 */
export function isDarkDrawing(source: string): boolean {
  try {
    let isStyle = false
    for (const token of xmlTokens(source)) {
      if (token.kind === 'text') {
        if (isStyle && !isDarkStyle(token.text)) return false
        continue
      }
      const name = token.name.replace(/^svg:/, '')
      isStyle = token.kind === 'start' && name === 'style'
      if (token.kind === 'end') continue
      if (PICTURES.has(name)) return false
      const paints = PAINTS.flatMap((attribute) => token.attributes.get(attribute) ?? [])
      if (!paints.every(isDarkPaint) || !isDarkStyle(token.attributes.get('style') ?? '')) return false
    }
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function isDarkStyle(css: string): boolean {
  return !css.includes('@') && [...css.matchAll(PAINT_PROPERTY)].every(([, value = '']) => isDarkPaint(value))
}

function isDarkPaint(value: string): boolean {
  const written = value.trim()
  if (NO_COLOUR.test(written)) return true
  const colour = parseColour(written)
  return colour !== null && isDark(colour)
}
