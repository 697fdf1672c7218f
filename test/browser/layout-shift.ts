import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * The largest sum of layout shifts that a visitor does not see, of 1 for a screen that moves by its height: a word that is
 * painted before its font and then moves by a pixel.
 */
const UNSEEN = 0.001

interface Shift {
  readonly value: number
  /** Elements with their places before and after. */
  readonly moved: readonly string[]
}

/** Expects that nothing has moved since the page was opened, but for what the visitor's own actions moved. */
export async function expectNoShift(page: Page, name: string, unseen = UNSEEN): Promise<void> {
  const shifts = (await page.evaluate(SHIFTS)) as readonly Shift[]
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect.soft(sum <= unseen ? [] : shifts, name).toEqual([])
}

/** In the browser. */
const SHIFTS = `new Promise((resolve) => {
  const shifts = []
  const place = ({ x, y, width, height }) => [x, y, width, height].join(' ')
  const shown = (node) => node?.outerHTML?.slice(0, 80) ?? node?.textContent?.slice(0, 80) ?? 'unknown'
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push({
          value,
          moved: sources.map((each) => shown(each.node) + ': ' + place(each.previousRect) + ' to ' + place(each.currentRect)),
        })
  }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => resolve(shifts)))
})`
