// Builds of a site in three languages and two versions against builds of the same pages in folders that are not connected.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  const plain = newSite('plain', '')
  const connected = newSite('connected', SETTINGS)
  const runs = await buildRounds({ plain: cold(plain), connected: cold(connected) })
  const what = `three languages and two versions, ${PAGES} pages`
  show(`${what}, against plain`, runs.connected, runs.plain, 'at most 1.2')
  showProcessor(what, runs.connected, runs.plain, 'at most 1.2')
  const more = median(runs.connected.map((run, n) => run.memory / runs.plain[n].memory)).toFixed(2)
  console.log(`peak memory of ${what}, against plain: ${more}`)
  note(`peak memory of ${what}, against plain`, more, '')
}

/** The same pages in a folder for each language and version. */
function newSite(name, settings) {
  const content = join(folder, name)
  const corpus = join(folder, `${name}-corpus`)
  const folders = Object.values(LANGUAGES).flatMap((start) => VERSIONS.map((version) => start + version))
  mkdirSync(corpus, { recursive: true })
  writeCorpus(corpus, { pages: PAGES / folders.length })
  for (const place of folders)
    for (const section of readdirSync(corpus).filter((entry) => entry !== 'static')) {
      mkdirSync(join(content, place, section), { recursive: true })
      for (const file of readdirSync(join(corpus, section))) {
        const text = readFileSync(join(corpus, section, file), 'utf8')
        writeFileSync(
          join(content, place, section, file),
          text.replaceAll('](/section-', `](/${place}/section-`),
        )
      }
    }
  cpSync(join(corpus, 'static'), join(content, 'static'), { recursive: true })
  writeFileSync(join(content, 'site.yaml'), `name: Bench\nurl: https://bench.example\n${settings}`)
  return { content, out: join(folder, `${name}-out`) }
}
