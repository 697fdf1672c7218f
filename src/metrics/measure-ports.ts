import { inSpan } from '../platform/spans.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from './metrics.ts'

/* Wrappers that measure and trace the calls of a port. Results and errors pass through unchanged. */

const RENDERS = { renderPage: 'page', renderSite: 'site', preview: 'preview', feedEntry: 'feed' } as const

export function withRenderMetrics(renderer: Renderer, { rendered }: Pick<Metrics, 'rendered'>): Renderer {
  return measured('render', renderer, RENDERS, rendered)
}

const CALLS = {
  put: 'put',
  get: 'get',
  open: 'open',
  headers: 'headers',
  delete: 'delete',
  list: 'list',
  check: 'check',
} as const

export function withStorageMetrics(storage: Storage, { storeCalled }: Pick<Metrics, 'storeCalled'>): Storage {
  return measured('store', storage, CALLS, storeCalled)
}

function measured<Port extends object>(
  what: string,
  port: Port,
  names: Readonly<Partial<Record<keyof Port, string>>>,
  observe: (name: string, seconds: number, failed: boolean) => void,
): Port {
  const methods = Object.entries(names as Record<string, string>).map(([method, name]) => {
    const call = port[method as keyof Port] as (...args: unknown[]) => Promise<unknown>
    return [
      method,
      async (...args: unknown[]) => {
        const start = process.hrtime.bigint()
        let failed = true
        try {
          const result = await inSpan(`${what} ${name}`, {}, () => call(...args))
          failed = false
          return result
        } finally {
          observe(name, Number(process.hrtime.bigint() - start) / 1e9, failed)
        }
      },
    ] as const
  })
  return { ...port, ...Object.fromEntries(methods) }
}
