import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LONG_FORM } from '../support/long-form.ts'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'
import { DOCUMENTS, type PictureSite, servePictureSite } from './picture-site.ts'

if (CHROMIUM === null)
  console.info('Skipped: sizes of pictures. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

interface Shown {
  /** Where the picture is, e.g. `features-3 img`. */
  readonly place: string
  /** How wide it is drawn, with what its box cuts off, in CSS pixels. */
  readonly width: number
  /** Widths of the files that the browser chose from, and of the one that it chose. */
  readonly candidates: readonly number[]
  readonly chosen: number
  /** How wide `sizes` says that it is, for browsers that do not know `auto`. */
  readonly stated: number
}

const SCREENS = [390, 1280].flatMap((width) => [1, 2, 3].map((density) => ({ width, density })))
/** Between the steps of the layouts. */
const OTHER_WIDTHS = [360, 600, 768, 1024, 1440, 1920]

/** Spaces within and between these are the theme's own; `sizes` counts with the smallest. */
const OF_THE_THEME: ReadonlySet<string> = new Set([
  'features-1 card-image',
  'features-4 card-image',
  'cta-banner cta-media',
])

describe.skipIf(CHROMIUM === null)('pictures of every section and layout', () => {
  let browser: Browser
  let site: PictureSite

  beforeAll(async () => {
    browser = await launchChromium()
    site = await servePictureSite()
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  test.each(
    LONG_FORM
      ? THEME_NAMES.flatMap((theme) => SCREENS.map((screen) => ({ theme, ...screen })))
      : [
          { theme: 'default', width: 390, density: 1 },
          { theme: 'minimal', width: 390, density: 3 },
          { theme: 'dark', width: 1280, density: 1 },
        ],
  )(
    'in $theme load the smallest file that is enough on a screen of $width px with $density pixels each',
    async ({ theme, width, density }) => {
      const wrong = []
      for (const document of Object.keys(DOCUMENTS))
        for (const { place, chosen, ...shown } of await picturesOf(`${theme}/${document}`, width, density)) {
          const enough = enoughFor(shown.width, shown, density)
          const stated = enoughFor(shown.stated, shown, density)
          if (chosen !== enough && !(OF_THE_THEME.has(place) && chosen === stated))
            wrong.push(`${document} ${place}: ${chosen}, not ${enough}, for ${JSON.stringify(shown)}`)
        }
      expect(wrong).toEqual([])
    },
  )

  test.each(
    LONG_FORM
      ? THEME_NAMES.flatMap((theme) => [390, ...OTHER_WIDTHS, 1280].map((width) => ({ theme, width })))
      : [
          { theme: 'default', width: 1280 },
          { theme: 'minimal', width: 390 },
        ],
  )(
    'in $theme say how wide they are on a screen of $width px to browsers that cannot know',
    async ({ theme, width }) => {
      const wrong = []
      for (const document of Object.keys(DOCUMENTS))
        for (const { place, stated, width: real } of await picturesOf(`${theme}/${document}`, width, 1))
          if (stated < real - 3 || stated > real * (OF_THE_THEME.has(place) ? 1.25 : 1.1) + 8)
            wrong.push(`${document} ${place}: ${stated} for ${real}`)
      expect(wrong).toEqual([])
    },
  )

  async function picturesOf(path: string, width: number, density: number): Promise<readonly Shown[]> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, deviceScaleFactor: density })
    await page.goto(`${site.origin}/${path}/`, { timeout: 0 })
    const shown = await page.evaluate<readonly Shown[]>(`(${READ.toString()})()`)
    await page.close()
    return shown
  }
})

/** The smallest file with all pixels that the screen has for a picture of this width; else the largest. */
function enoughFor(width: number, { candidates }: Pick<Shown, 'candidates'>, density: number): number {
  const enough = candidates.find((each) => each >= Math.floor(width * density))
  return enough ?? candidates.at(-1) ?? 0
}

/** Runs in the browser, after every picture was scrolled into view. */
async function READ() {
  // biome-ignore lint/suspicious/noExplicitAny: runs in a browser, whose types this project does not load.
  const { document, getComputedStyle, matchMedia, setTimeout } = globalThis as any
  const images = [...document.querySelectorAll('img')]
  for (const image of images) {
    image.scrollIntoView({ block: 'center', inline: 'center' })
    // Asked for, as the load event may be that of a file that was chosen before the picture had its width.
    while (!image.complete) await new Promise((resolve) => setTimeout(resolve, 10))
    if (image.naturalWidth === 0) throw new Error(`${image.currentSrc} could not be loaded.`)
  }
  const probe = document.createElement('div')
  document.body.append(probe)
  return images.map((image) => {
    const source = image.parentElement.querySelector('source')
    const box = { width: image.clientWidth, height: image.clientHeight }
    const fit = getComputedStyle(image).objectFit
    const isBackdrop = image.className === 'backdrop'
    const covered =
      fit === 'cover' && !isBackdrop ? Math.max(box.width, box.height * realRatio(image)) : box.width
    const drawn = fit === 'contain' ? Math.min(box.width, box.height * realRatio(image)) : covered
    const section = image.closest('.section')?.id ?? ''
    return {
      place: `${section} ${image.closest('[class]:not(.section, .wrap)')?.className ?? ''}`.trim(),
      width: Math.round(drawn * 10) / 10,
      candidates: (source?.srcset ?? '')
        .split(', ')
        .map((one: string) => Number(/ (\d+)w$/.exec(one)?.[1] ?? 0)),
      chosen: Number(/-(\d+)x\d+\.\w+$/.exec(image.currentSrc)?.[1] ?? 0),
      stated: statedBy(source?.sizes ?? ''),
    }
  })

  function realRatio(image: { currentSrc: string }) {
    const [, width, height] = /-(\d+)x(\d+)\.\w+$/.exec(image.currentSrc) ?? []
    return Number(width) / Number(height)
  }

  function statedBy(sizes: string): number {
    for (const rule of rulesIn(sizes.replace(/^auto, /, ''))) {
      const [, media, length] = /^\s*(\(min-width: [\d.]+rem\) )?(.*)$/.exec(rule) ?? []
      if (media !== undefined && !matchMedia(media.trim()).matches) continue
      probe.style.width = length ?? ''
      return Math.round(probe.getBoundingClientRect().width)
    }
    return 0
  }

  /** Split at the commas that are in no parentheses. */
  function rulesIn(sizes: string): readonly string[] {
    let depth = 0
    const marked = [...sizes].map((character) => {
      depth += Number(character === '(') - Number(character === ')')
      return character === ',' && depth === 0 ? '\n' : character
    })
    return marked.join('').split('\n')
  }
}
