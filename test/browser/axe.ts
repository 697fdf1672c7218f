import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Holds a page to what axe checks, and to the width of its window. Needs a context with `bypassCSP`. */
export async function checkAxe(page: Page, name: string, width: number): Promise<void> {
  await page.addScriptTag({ content: await axe })
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults
  expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []])
  expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width])
}
