// Builds of a site in three languages and two versions against builds of the same pages in folders that are not connected.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeCorpus } from './corpus.mjs'
import { buildRounds, cold, show, showProcessor } from './own-builds.mjs'
import { folder, median } from './quoin.mjs'
import { note } from './table.mjs'

const PAGES = Number(process.argv[3] ?? 3_000)
const LANGUAGES = { en: '', fr: 'fr/', de: 'de/' }
const VERSIONS = ['docs', 'docs/1.0']
const SETTINGS = `locales:
  - { code: en, label: English }
  - { code: fr, label: Français, subroute: fr }
  - { code: de, label: Deutsch, subroute: de }
versions:
  - { name: '2.0', subroute: docs, latest: true }
  - { name: '1.0', subroute: docs/1.0 }
`

export async function benchConnected() {
  const folders = Object.values(LANGUAGES).flatMap((start) => VERSIONS.map((version) => start + version))
  const plain = writeCopies('plain', { pages: PAGES, folders })
  const connected = writeCopies('connected', { pages: PAGES, folders, settings: SETTINGS })
  const runs = await buildRounds({ plain: cold(plain), connected: cold(connected) })
  const what = `three languages and two versions, ${PAGES} pages`
  show(`${what}, against plain`, runs.connected, runs.plain, 'at most 1.2')
  showProcessor(what, runs.connected, runs.plain, 'at most 1.2')
  const more = median(runs.connected.map((run, n) => run.memory / runs.plain[n].memory)).toFixed(2)
  console.log(`peak memory of ${what}, against plain: ${more}`)
  note(`peak memory of ${what}, against plain`, more, '')
}

/**
 * Writes a site with the same pages in each of these folders.
 *
 * @param options.pages of all folders together.
 * @param options.folders empty for the content folder itself.
 * @param options.settings lines of `site.yaml` after its name and address.
 * @param options.languages true to name languages in code fences.
 * @param options.change returns the text of the page with this number instead of the given one.
 */
export function writeCopies(
  name,
  { pages, folders, settings = '', languages = false, change = (text) => text },
) {
  const content = join(folder, name)
  const corpus = join(folder, `${name}-corpus`)
  mkdirSync(corpus, { recursive: true })
  const paths = writeCorpus(corpus, { pages: pages / folders.length, languages })
  const prefixes = folders.map((place) => (place === '' ? '' : `${place}/`))
  let n = 0
  for (const prefix of prefixes)
    for (const path of paths) {
      const text = readFileSync(join(corpus, `${path}.md`), 'utf8')
      const file = join(content, `${prefix}${path}.md`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, change(text.replaceAll('](/section-', `](/${prefix}section-`), n++))
    }
  cpSync(join(corpus, 'static'), join(content, 'static'), { recursive: true })
  writeFileSync(join(content, 'site.yaml'), `name: Bench\nurl: https://bench.example\n${settings}`)
  return { content, out: join(folder, `${name}-out`) }
}
