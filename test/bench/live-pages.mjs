// Pages of a generated site as input of a renderer.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCorpus } from './corpus.mjs'

/** Size range of an ordinary page, in bytes. */
const [LEAST, MOST] = [3_900, 4_300]

/** Pages of ordinary size. @param languages true to name languages in code fences; gives different pages. */
export function ordinaryPages(settings, { languages = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'quoin-pages-'))
  try {
    return writeCorpus(folder, { pages: 2_000, languages })
      .map((path) => readFileSync(join(folder, `${path}.md`), 'utf8').replace(/^---\n.*?\n---\n/s, ''))
      .filter(({ length }) => length >= LEAST && length <= MOST)
      .map((markdown, index) => livePage(settings, `page${String(index).padStart(12, '0')}`, markdown))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function livePage({ DEFAULT_SETTINGS }, id, markdown) {
  const now = '2026-01-01T00:00:00.000Z'
  const page = {
    id,
    projectId: 'projaaaaaaaaaaaa',
    title: 'A page',
    slug: 'a-page',
    subroute: '',
    type: 'article',
    status: 'draft',
    description: '',
    ogImageUrl: null,
    meta: {},
    config: {},
    markdown,
    ownFields: {},
    contentDigest: '',
    wordCount: 600,
    publishedAt: null,
    firstPublishedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  }
  return {
    page,
    fields: { publishDate: now, author: null, navOrder: 0, parentPage: null, badge: null },
    settings: DEFAULT_SETTINGS,
    site: {
      projectId: page.projectId,
      name: 'Bench',
      origin: 'https://bench.example',
      hostingMode: 'full_host',
      keyId: null,
      manifest: 'full',
    },
    path: '/a-page',
    file: 'a-page/index.html',
    context: { docs: null, collections: new Map(), neighbours: null },
  }
}
