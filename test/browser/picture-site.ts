import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImageFocus } from '../../src/domain/image.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { LivePage } from '../../src/domain/live-page.ts'
import type { MediaImage } from '../../src/domain/media.ts'
import { loadMarkdownTools } from '../../src/render/markdown/markdown-tools.ts'
import { renderPage } from '../../src/render/page/render-page.ts'
import { type LivePageParts, livePage } from '../support/live-page.ts'
import { loadBuiltIn, THEME_NAMES } from '../theme/load-built-in.ts'

const VARIANTS = [320, 640, 960, 1280, 1920, 2560]

/** Pictures of which the server makes every width. A browser that has a larger file of a picture shows that one. */
const media: Record<string, MediaImage> = {}

function picture(name: string, width: number, height: number, focus?: ImageFocus): string {
  const stem = `${name}-${Object.keys(media).length}`
  const keyOf = (wide: number, format: string) =>
    `_media/${stem}.1-${wide}x${Math.round((wide * height) / width)}.${format}`
  media[`media/${stem}.jpg`] = {
    ...{ digest: stem, key: keyOf(width, 'jpg'), bytes: 1, width, height, colour: '#7799aa' },
    ...(focus && { focus }),
    variants: VARIANTS.filter((each) => each < width).map((each) => ({
      key: keyOf(each, 'webp'),
      width: each,
      height: Math.round((each * height) / width),
      format: 'webp',
    })),
  }
  return `/media/${stem}.jpg`
}

const photo = () => picture('photo', 4_000, 3_000)
const panorama = () => picture('panorama', 3_600, 1_200)
const portrait = () => picture('portrait', 2_400, 3_600)
const mark = () => picture('mark', 1_200, 400)

const LINE = 'A line of text that is long enough to break on a phone, and says little.'
const cards = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Card ${index + 1}`,
    description: LINE,
    image: { src: ([photo, panorama, portrait][index % 3] ?? photo)(), alt: `Picture ${index + 1}` },
  }))
const pictures = (count: number) => cards(count).map(({ image, title }) => ({ ...image, caption: title }))

/** Every type of section that shows pictures, in each of its layouts. */
const SECTIONS: readonly JsonObject[] = [
  { type: 'hero', id: 'hero', title: 'A hero', image: photo(), subtitle: LINE },
  { type: 'hero', id: 'hero-center', title: 'A hero', layout: 'center', image: panorama() },
  { type: 'hero', id: 'hero-background', title: 'A hero', layout: 'background', image: photo() },
  { type: 'features', id: 'features-1', columns: 1, items: cards(1) },
  { type: 'features', id: 'features-2', columns: 2, items: cards(2) },
  { type: 'features', id: 'features-3', title: 'Three', columns: 3, items: cards(3) },
  { type: 'features', id: 'features-4', columns: 4, items: cards(4) },
  { type: 'features', id: 'features-list', title: 'A list', layout: 'list', items: cards(3) },
  { type: 'features', id: 'features-alternating', layout: 'alternating', items: cards(3) },
  ...['banner', 'card', 'split'].map((layout) => ({
    ...{ type: 'cta', id: `cta-${layout}`, title: 'Go', layout, image: photo(), background: 'muted' },
    actions: [{ text: 'Go', link: '/' }],
  })),
  ...['left', 'right', 'top'].map((position) => ({
    ...{ type: 'content', id: `content-${position}`, image: photo(), image_position: position },
    body: `${LINE}\n\n![In the text](${photo()})`,
  })),
  { type: 'content', id: 'content-none', body: `![In the text](${photo()})`, background: photo() },
  { type: 'testimonials', id: 'testimonials', items: [{ quote: LINE, name: 'Ada', avatar: panorama() }] },
  { type: 'faq', id: 'faq', open_first: true, items: [{ question: 'Why?', answer: LINE }] },
  {
    type: 'logos',
    id: 'logos',
    items: [mark(), photo(), panorama(), portrait()].map((src) => ({ src, name: src })),
  },
  { type: 'steps', id: 'steps', items: cards(2) },
  ...[2, 3, 4, 5].map((columns) => ({
    type: 'gallery',
    id: `gallery-${columns}`,
    columns,
    items: pictures(columns),
  })),
  ...[2, 3, 4].map((columns) => ({
    ...{ type: 'gallery', id: `masonry-${columns}`, columns, layout: 'masonry', items: pictures(6) },
  })),
  { type: 'gallery', id: 'gallery-carousel', layout: 'carousel', items: pictures(4) },
  { type: 'team', id: 'team', members: [{ name: 'Ada', avatar: portrait(), bio: LINE }] },
  { type: 'posts', id: 'posts', limit: 4 },
  { type: 'pricing', id: 'pricing', background: photo(), plans: [{ name: 'One', price: 1 }] },
  { type: 'stats', id: 'stats', items: [{ value: 1, label: 'One' }] },
  { type: 'contact', id: 'contact', email: 'a@acme.example' },
  { type: 'of-no-type', id: 'generic', body: `${LINE}\n\n![In the text](${photo()})`, image: photo() },
  { type: 'of-no-type', id: 'generic-cards', items: cards(3) },
]

const POSTS = cards(4).map(({ title, image }, index) => ({
  ...{ path: `/blog/${index}`, title, excerpt: LINE, date: '2026-03-01T00:00:00.000Z', author: null },
  image: { ...image, src: `/${media[image.src.slice(1)]?.key}` },
}))

const body = () =>
  `${LINE}\n\n![A photo](${photo()})\n\n## One\n\n![A panorama](${panorama()} "With a caption")\n\n## Two\n\n![Not wide|300](${photo()}) and text.\n\n${LINE}`
const bodyOfOne = () => body().replace('## Two', 'Two')
const AUTHOR = { name: 'Ada', avatar: portrait(), bio: 'Writes.' }

/** Documents of every layout that shows pictures, by path. */
export const DOCUMENTS: Readonly<Record<string, LivePageParts>> = {
  sections: {
    page: { type: 'page', config: { sections: SECTIONS } },
    collections: new Map([[SECTIONS.findIndex(({ type }) => type === 'posts'), POSTS]]),
  },
  focus: {
    page: {
      type: 'page',
      config: {
        sections: [
          {
            type: 'gallery',
            columns: 3,
            items: [{ x: 0, y: 0.5 }, { x: 0.9, y: 0.2 }, undefined].map((focus) => ({
              src: picture('focus', 1_600, 2_400, focus),
              alt: 'A',
            })),
          },
        ],
      },
    },
  },
  page: { page: { type: 'page', markdown: body() } },
  article: {
    page: { type: 'article', markdown: body(), config: { image: panorama() } },
    fields: { author: AUTHOR, publishDate: '2026-03-01T00:00:00.000Z' },
  },
  'article-without-toc': { page: { type: 'article', markdown: bodyOfOne(), config: { image: portrait() } } },
  docs: { page: { type: 'docs', markdown: body() } },
  'docs-without-toc': { page: { type: 'docs', markdown: bodyOfOne() } },
  'docs-wide': { page: { type: 'docs', markdown: body(), config: { layout: 'wide' } } },
  item: {
    page: { type: 'item', markdown: body(), config: { image: photo(), maker: 'Acme', picture: portrait() } },
  },
  'item-without-fields': { page: { type: 'item', markdown: body(), config: { image: photo() } } },
}

export interface PictureSite {
  readonly origin: string
  close(): Promise<void>
}

/** @param delayMs how long each picture takes. */
export async function servePictureSite({ delayMs = 0 } = {}): Promise<PictureSite> {
  const tools = await loadMarkdownTools('')
  const files = new Map<string, { readonly type: string; readonly body: string | Uint8Array }>()
  for (const name of THEME_NAMES) {
    const theme = await loadBuiltIn(name)
    for (const { key, body } of Object.values(theme.assets))
      files.set(`/${key}`, { type: key.endsWith('.css') ? 'text/css' : 'text/javascript', body })
    for (const [document, parts] of Object.entries(DOCUMENTS)) {
      const settings = { logoUrl: mark(), ...parts.settings }
      const page = { ...parts.page, slug: document, subroute: name }
      const live: LivePage = { ...livePage({ ...parts, page, settings }), media }
      for (const { key, body } of renderPage(live, theme, tools).artifacts)
        if (key.endsWith('.html'))
          files.set(`/${key.replace(/index\.html$/, '')}`, { type: 'text/html', body })
    }
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, width, height] = /-(\d+)x(\d+)\.\w+$/.exec(pathname) ?? []
    const picture =
      width === undefined ? null : { type: 'image/svg+xml', body: drawing(Number(width), Number(height)) }
    if (picture !== null) await wait(delayMs)
    const found = picture ?? files.get(pathname)
    response.writeHead(found ? 200 : 404, { 'content-type': `${found?.type ?? 'text/plain'}; charset=utf-8` })
    response.end(found?.body)
  })
  return listening(server)
}

async function listening(server: Server): Promise<PictureSite> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Has the size of the picture, so that browsers show it as they would show the real one. */
function drawing(width: number, height: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#7799aa"/><circle cx="30%" cy="40%" r="20%" fill="#e8d9a0"/><text x="50%" y="60%" font-size="${height / 8}">${width}</text></svg>`
}
