import { performance } from 'node:perf_hooks'
import type { LivePage } from '../domain/live-page.ts'
import type { Renderer, TimedPage } from './renderer.ts'

export async function timedPage(renderer: Renderer, live: LivePage): Promise<TimedPage> {
  const start = performance.now()
  const page = await renderer.renderPage(live)
  return { ...page, ms: performance.now() - start }
}
