import type { Renderer } from '../renderer/renderer.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from './metrics.ts'

/* Ports whose calls are measured. What they answer, and what they throw, is passed on as it is. */

const RENDERS = { renderPage: 'page', renderSite: 'site', preview: 'preview', feedEntry: 'feed' } as const

export function withRenderMetrics(renderer: Renderer, { rendered }: Pick<Metrics, 'rendered'>): Renderer {
  return measured(renderer, RENDERS, rendered)
}

const CALLS = {
  put: 'put',
  get: 'get',
  open: 'open',
  delete: 'delete',
  list: 'list',
  check: 'check',
} as const

export function withStorageMetrics(storage: Storage, { storeCalled }: Pick<Metrics, 'storeCalled'>): Storage {
  return measured(storage, CALLS, storeCalled)
}

function measured<Port extends object>(
  port: Port,
  names: Readonly<Partial<Record<keyof Port, string>>>,
  tell: (name: string, seconds: number, failed: boolean) => void,
): Port {
  const watched = Object.entries(names as Record<string, string>).map(([method, name]) => {
    const call = port[method as keyof Port] as (...given: unknown[]) => Promise<unknown>
    return [
      method,
      async (...given: unknown[]) => {
        const began = process.hrtime.bigint()
        let failed = true
        try {
          const answer = await call(...given)
          failed = false
          return answer
        } finally {
          tell(name, Number(process.hrtime.bigint() - began) / 1e9, failed)
        }
      },
    ] as const
  })
  return { ...port, ...Object.fromEntries(watched) }
}
