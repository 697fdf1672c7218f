import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THEME_NAMES } from '../theme/load-built-in.ts'
import { type BuiltSite, type Send, serveBuiltSite } from './built-site.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

if (CHROMIUM === null)
  console.info('Skipped: a page that arrives. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 640"><rect width="960" height="640"/></svg>'
const PAGE = `type: page
title: Home
sections:
  - type: features
    layout: alternating
    title: First
    items:
      - title: One
        description: The text beside the picture.
        image: { src: /picture.svg, alt: A picture, width: 960, height: 640 }
  - type: content
    title: Second
    text: The other text beside the picture.
    image: { src: /picture.svg, alt: A picture, width: 960, height: 640 }
    image_position: left
`
/** What is shown first of a row, and where the document is cut after it. */
const ROWS = [
  { first: '.features .card-image', cut: '<div class="card-body">' },
  { first: '.content .content-text', cut: '<div class="content-media">' },
]

describe.skipIf(CHROMIUM === null).each(THEME_NAMES)(
  'in the theme %s, while the document arrives',
  (theme) => {
    let browser: Browser
    let site: BuiltSite
    let cut = ''
    let sendRest = () => {}
    const send: Send = (response, body) => {
      const at = body?.indexOf(cut) ?? -1
      if (body === null || at <= 0) response.end(body)
      else {
        response.write(body.subarray(0, at))
        sendRest = () => response.end(body.subarray(at))
      }
    }

    beforeAll(async () => {
      const files = { 'site.yaml': 'name: Site\n', 'index.yaml': PAGE, 'static/picture.svg': PICTURE }
      ;[browser, site] = await Promise.all([launchChromium(), serveBuiltSite(files, theme, send)])
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })

    test.each(ROWS)('$first stands where it stays, before what comes beside it is there', async (row) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      cut = row.cut
      await page.goto(site.origin, { waitUntil: 'commit' })
      const first = page.locator(row.first)
      await first.waitFor()
      const columns = async () => {
        const { x = 0, width = 0 } = (await first.boundingBox()) ?? {}
        return { x, width }
      }
      const before = await columns()
      sendRest()
      await page.waitForLoadState('load', { timeout: 0 })
      expect(before).toEqual(await columns())
      await page.close()
    })
  },
)
