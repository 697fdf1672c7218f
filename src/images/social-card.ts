import { join } from 'node:path'
import { normalForm } from '../domain/normal-form.ts'
import { SOCIAL_SIZE, type SocialCard } from '../domain/social-picture.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { type Covers, fontCoverage } from './font-coverage.ts'
import type { Sharp } from './load-sharp.ts'

export const FONT_FOLDER = join(PACKAGE_ROOT, 'templates/fonts')

const MARGIN = 80
const TEXT_WIDTH = SOCIAL_SIZE.width - 2 * MARGIN
const TITLE_HEIGHT = 340
/** In pixels, the largest that leaves the title whole. */
const TITLE_SIZES = [88, 76, 64, 54]
const NAME_SIZE = 34
const NAME_HEIGHT = 60
const ELLIPSIS = '…'
/** A line above the title, in the colour of the text, and the space below it. */
const LINE = { width: 96, height: 10 }
const GAP = 40

/** Emoji, the marks that join and vary them, and flags: the fonts have none, and a title reads without them. */
const EMOJI =
  /\u200D?(?:(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{1F3FB}-\u{1F3FF}\uFE0E\uFE0F\u20E3\u{E0020}-\u{E007F}])/gu
/** Characters that are invisible and do not join or turn letters. */
const BLANKS = /[\p{Cc}\s\u00AD\uFEFF]+/gu
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u

let coverage: Promise<Covers> | null = null

/**
 * Draws a title and the name of its site. The same words and colours give the same bytes: only the bundled fonts are
 * used. A text with characters that they cannot draw is left out whole, since a title with gaps would be misleading:
 * the name then takes the place of the title, or nothing does.
 */
export async function drawSocialCard(card: SocialCard, sharp: Sharp): Promise<Buffer> {
  coverage ??= fontCoverage(FONT_FOLDER)
  const covers = await coverage
  const name = drawable(card.siteName, covers)
  const title = drawable(card.title, covers)
  const [large, small] = title === '' || title === name ? [name, ''] : [title, name]
  const right = RIGHT_TO_LEFT.test(large)
  const place = ({ info }: TextPicture, top: number) => ({
    left: right ? SOCIAL_SIZE.width - MARGIN - info.width : MARGIN,
    top,
  })
  const line = { ...LINE, channels: 3, background: card.foreground } as const
  const parts: Parameters<ReturnType<Sharp>['composite']>[0][number][] = [
    { input: { create: line }, left: right ? SOCIAL_SIZE.width - MARGIN - LINE.width : MARGIN, top: MARGIN },
  ]
  if (large !== '') {
    const drawn = await fitting(large, TITLE_SIZES, TITLE_HEIGHT, card, sharp)
    parts.push({ input: drawn.data, ...place(drawn, MARGIN + LINE.height + GAP) })
  }
  if (small !== '') {
    const drawn = await fitting(small, [NAME_SIZE], NAME_HEIGHT, card, sharp)
    parts.push({ input: drawn.data, ...place(drawn, SOCIAL_SIZE.height - MARGIN - drawn.info.height) })
  }
  return sharp({ create: { ...SOCIAL_SIZE, channels: 3, background: card.background } })
    .composite(parts)
    .removeAlpha()
    .png()
    .toBuffer()
}

/** The text without emoji; empty where a character is left that no font has. */
export function drawable(text: string, covers: Covers): string {
  const words = normalForm(text).replace(EMOJI, ' ').replace(BLANKS, ' ').trim()
  return [...words].every((character) => covers(character.codePointAt(0) ?? 0)) ? words : ''
}

interface TextPicture {
  readonly data: Uint8Array
  readonly info: { readonly width: number; readonly height: number }
}

/** The text in the largest size in which it fits; where none does, as many of its words as fit in the smallest. */
async function fitting(
  text: string,
  sizes: readonly number[],
  height: number,
  { foreground }: SocialCard,
  sharp: Sharp,
): Promise<TextPicture> {
  const draw = async (words: string, size: number) => {
    const markup = `<span foreground="${foreground}">${escaped(words)}</span>`
    const made = {
      text: markup,
      font: `Noto Sans Bold ${size}`,
      dpi: 72,
      width: TEXT_WIDTH,
      rgba: true,
    } as const
    return sharp({ text: { ...made, wrap: 'word-char' } })
      .png()
      .toBuffer({ resolveWithObject: true })
  }
  const fits = ({ info }: TextPicture) => info.height <= height && info.width <= TEXT_WIDTH
  for (const size of sizes) {
    const whole = await draw(text, size)
    if (fits(whole)) return whole
  }
  const smallest = sizes.at(-1) ?? 0
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  // Finds the largest number of letters by bisection: each step draws once.
  let [fewest, most] = [1, letters.length]
  while (most - fewest > 1) {
    const middle = Math.floor((fewest + most) / 2)
    if (fits(await draw(shortened(letters, middle), smallest))) fewest = middle
    else most = middle
  }
  return draw(shortened(letters, fewest), smallest)
}

/** The first letters, without the part of a word at their end. */
function shortened(letters: readonly string[], count: number): string {
  const start = letters.slice(0, count).join('')
  return `${start.replace(/\s\S{0,20}$/u, '').trimEnd()}${ELLIPSIS}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
