import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { built, DOCS, reader, searchScript, suiteFolder } from './docs-site.ts'

/** What readers of the documentation type, and the page that should come first. */
const QUERIES: readonly (readonly [query: string, first: string])[] = [
  // Words of titles and headings.
  ['rate limits', '/docs/reference/api/rate-limits'],
  ['webhooks', '/docs/reference/api/webhooks'],
  ['sections', '/docs/reference/sections'],
  ['diagnostics', '/docs/reference/diagnostics'],
  ['configuration', '/docs/reference/configuration'],
  ['custom css', '/docs/guides/brand-a-site'],
  ['footnotes', '/docs/guides/write-markdown'],
  ['health checks', '/docs/guides/go-live'],
  ['preview link', '/docs/guides/preview-a-page'],
  ['pricing section', '/docs/reference/sections'],
  // Other forms of them.
  ['deploying', '/docs/build-from-a-folder'],
  ['configuring', '/docs/reference/configuration'],
  ['error', '/docs/reference/errors'],
  ['theme', '/docs/reference/themes'],
  ['webhook', '/docs/reference/api/webhooks'],
  ['redirecting', '/docs/concepts/addresses'],
  ['encrypting', '/docs/guides/publish-encrypted'],
  ['addressing', '/docs/concepts/addresses'],
  ['domains', '/docs/guides/use-a-domain'],
  ['branding', '/docs/guides/brand-a-site'],
  ['retrying', '/docs/guides/retry-safely'],
  ['organising', '/docs/guides/organise-docs'],
  ['limited rates', '/docs/reference/api/rate-limits'],
  ['building a folder', '/docs/build-from-a-folder'],
  // The start of a word, while it is typed.
  ['diag', '/docs/reference/diagnostics'],
  ['webh', '/docs/reference/api/webhooks'],
  ['confi', '/docs/reference/configuration'],
  ['idem', '/docs/guides/retry-safely'],
  // Misspelt words, alone and beside others.
  ['rate limt', '/docs/reference/api/rate-limits'],
  ['webhoks', '/docs/reference/api/webhooks'],
  ['diagnotics', '/docs/reference/diagnostics'],
  ['custm css', '/docs/guides/brand-a-site'],
  ['publsh encrypted', '/docs/guides/publish-encrypted'],
  ['use a domian', '/docs/guides/use-a-domain'],
  ['preveiw page', '/docs/guides/preview-a-page'],
  ['content foldrs', '/docs/reference/content-folders'],
  // Several words of a text.
  ['roll back a page', '/docs/reference/api/publishing'],
  ['publish many pages', '/docs/concepts/publishing'],
  ['old address redirect', '/docs/concepts/addresses'],
  ['write a theme', '/docs/guides/write-a-theme'],
  ['docs sidebar order', '/docs/guides/organise-docs'],
  ['health check of the service', '/docs/guides/go-live'],
  // Names in code: fields, settings, commands, files, messages.
  ['redirect_from', '/docs/concepts/addresses'],
  ['nav_order', '/docs/guides/organise-docs'],
  ['QUOIN_SITES_DOMAIN', '/docs/reference/configuration'],
  ['Idempotency-Key', '/docs/guides/retry-safely'],
  ['QN-DEADLINK', '/docs/reference/diagnostics'],
  ['custom_head_html', '/docs/guides/brand-a-site'],
  ['site_routes', '/docs/reference/api/settings'],
  ['quoin push', '/docs/reference/command-line'],
  ['sitemap.xml', '/docs/reference/files'],
  ['feed.xml', '/docs/reference/blogs'],
]

describe('the search of the documentation', () => {
  let find: ReturnType<typeof reader>
  beforeAll(async () => {
    find = reader(await built(DOCS), 'en')
  }, 120_000)

  test('has a table of fifty queries', () => {
    expect(QUERIES.length).toBeGreaterThanOrEqual(50)
  })

  test.each(QUERIES)('%j finds %s first', async (query, first) => {
    const { hits } = await find(query, 5)
    expect(hits.map(({ path }) => path)[0], hits.map(({ path }) => path).join(' ')).toBe(first)
  })
})

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await suiteFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const page = (title: string, lang: string, text: string) =>
  `---\ntitle: ${title}\nlang: ${lang}\n---\n${text}\n`

describe('a site in several languages', () => {
  let out: string
  beforeAll(async () => {
    const names = ['de', 'en', 'es', 'fr']
    out = await built(
      await folderOf({
        'site.yaml': 'name: Probe\nurl: https://example.org\nbranding: { lang: en }\n',
        ...Object.fromEntries(
          names.map((lang) => [`${lang}/markdown.md`, page('Markdown', lang, 'markdown markdown text')]),
        ),
        'de/einstellungen.md': page('Einstellungen', 'de', 'Hier steht, was eingestellt wird.'),
        'de/installation.md': page(
          'Installation',
          'de',
          'Die Häuser der Seiten. Die Veröffentlichung löschen.',
        ),
        'de/suche.md': page('Suche', 'de', 'Wie man Wörter findet.\n\n## Suchbegriffe\n\nEin Begriff.'),
        'fr/deploiement.md': page('Déploiement', 'fr', 'Comment déployer les pages.'),
        'fr/parametres.md': page('Paramètres', 'fr', 'Les réglages généraux du site et les chevaux.'),
        'es/configuracion.md': page('Configuración', 'es', 'Texto.'),
        'plain.md': '---\ntitle: Plain markdown\n---\nmarkdown\n',
      }),
    )
  })

  test.each([
    ['de', ['/de/markdown']],
    ['de-AT', ['/de/markdown']],
    ['fr', ['/fr/markdown']],
    ['en', ['/plain', '/en/markdown']],
    ['en-GB', ['/plain', '/en/markdown']],
    ['pl', []],
  ])('a reader of a page in %s gets pages in that language first', async (language, own) => {
    const { hits, total } = await reader(out, language)('markdown', 10)
    expect(total).toBe(5)
    expect(
      hits
        .slice(0, own.length)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...own].sort())
  })

  test.each([
    ['de', 'Einstellung', '/de/einstellungen'],
    ['de', 'Haus', '/de/installation'],
    ['de', 'installationen', '/de/installation'],
    ['de', 'Veröffentlichungen', '/de/installation'],
    ['de', 'Wort', '/de/suche'],
    ['fr', 'paramètre', '/fr/parametres'],
    ['fr', 'déployé', '/fr/deploiement'],
    ['fr', 'général', '/fr/parametres'],
    ['es', 'configuraciones', '/es/configuracion'],
  ])('in %s %j finds %s', async (language, query, path) => {
    const { hits } = await reader(out, language)(query, 10)
    expect(hits[0]?.path).toBe(path)
  })
})

describe('forms of a word', () => {
  let find: ReturnType<typeof reader>
  beforeAll(async () => {
    const files = {
      'site.yaml': 'name: Forms\nurl: https://example.org\n',
      'a.md': page('Deploying', 'en', 'Text.'),
      'b.md': page('Deploy', 'en', 'Text.'),
      'c.md': page('Other', 'en', 'It was deployed.'),
      'd.md': page('Queries', 'en', 'Text.\n\n## A query\n\nText.\n\n## Of queries\n\nText.'),
    }
    find = reader(await built(await folderOf(files)), 'en')
  })
  const paths = async (query: string) => (await find(query, 10)).hits.map(({ path }) => path)

  test('are found, and rank below the word itself', async () => {
    expect(await paths('deploy')).toEqual(['/b', '/a', '/c'])
    expect(await paths('deploying')).toEqual(['/a', '/b', '/c'])
    expect(await paths('deployed')).toEqual(['/a', '/b', '/c'])
  })

  test('are found in headings, which are listed under their page', async () => {
    const { hits } = await find('query', 10)
    expect(hits).toMatchObject([{ path: '/d', sections: [{ anchor: 'a-query' }, { anchor: 'of-queries' }] }])
  })
})

test('the modules of the search script have no name twice, since they share a scope', () => {
  const script = Buffer.from(searchScript().body).toString()
  expect(() => new Script(script)).not.toThrow()
})
