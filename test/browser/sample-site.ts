import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { loadBuiltIn, THEME_NAMES } from '../theme/load-built-in.ts'
import { SAMPLE_IMAGES } from '../theme/sample-images.ts'
import { NAV_FILE, samplePages } from '../theme/sample-pages.ts'

export interface SampleSite {
  readonly origin: string
  /** Paths of all sample pages, e.g. `/dark/article`. */
  readonly paths: readonly string[]
  close(): Promise<void>
}

interface Served {
  readonly type: string
  readonly body: string | Uint8Array
}

/** Serves every sample page in every theme, with its assets, on loopback. */
export async function serveSampleSite(): Promise<SampleSite> {
  const pages = new Map<string, Served>()
  const files = new Map<string, Served>([
    ['/videos/tour.mp4', { type: 'video/mp4', body: '' }],
    ...THEME_NAMES.map(
      (name) => [`/${name}/index.md`, { type: 'text/markdown', body: '# As Markdown' }] as const,
    ),
    ['/_nav/docs.json', { type: 'application/json', body: JSON.stringify(NAV_FILE) }],
    ...Object.entries(SAMPLE_IMAGES).map(
      ([name, body]) => [`/images/${name}`, { type: 'image/svg+xml', body }] as const,
    ),
  ])
  for (const name of THEME_NAMES) {
    const theme = await loadBuiltIn(name)
    for (const [page, body] of Object.entries(samplePages(theme)))
      pages.set(`/${name}/${page}`, { type: 'text/html', body })
    for (const { key, body } of Object.values(theme.assets)) {
      files.set(`/${key}`, { type: key.endsWith('.css') ? 'text/css' : 'text/javascript', body })
    }
  }
  const server = await listen(new Map([...pages, ...files]))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths: [...pages.keys()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(all: ReadonlyMap<string, Served>): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const found = all.get(pathname)
    // As a preview is served: in an opaque origin.
    if (searchParams.has('sandbox')) response.setHeader('content-security-policy', 'sandbox allow-scripts')
    response.writeHead(found ? 200 : 404, { 'content-type': `${found?.type ?? 'text/plain'}; charset=utf-8` })
    response.end(found?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
