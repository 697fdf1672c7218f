import { performance } from 'node:perf_hooks'
import type { LivePage } from '../domain/live-page.ts'
import type { Renderer, TimedPage } from './renderer.ts'

export async function timedPage(renderer: Renderer, live: LivePage): Promise<TimedPage> {
  const start = performance.now()
  const { artifacts, ...extract } = await renderer.renderPage(live)
  const ms = performance.now() - start
  // A copy: a string cut from the document would keep all of the document in memory.
  return { ...structuredClone(extract), artifacts, ms }
}
