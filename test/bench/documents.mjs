// Real documents for the benchmark of builds: Markdown files of public repositories, fetched for a run
// (`--documents <folder>`). They are not part of this repository.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from './corpus.mjs'

const SECTIONS = 50
const BYTES = { least: 1_000, most: 30_000 }
/** Files with tags of template languages: some generators would run them. */
const TEMPLATE_TAG = /\{\{|\{%|<%|\{#/
const FENCE = /^( *(?:`{3,}|~{3,}))[^\n`]*$/gm

/**
 * Writes documents into `section-01` to `section-50` of a folder, each with a title, a description and a kind as its
 * front matter. They are taken evenly from all files that `from` holds, so that each repository has its share. Links to
 * other files lead to other documents, and images to one picture, because most targets are not among the documents.
 *
 * @param options.languages false removes the languages of fenced code.
 * @returns their paths in the folder, without extension.
 * @throws {Error} when `from` holds fewer usable documents than `pages`.
 */
export function writeDocuments(folder, { from, pages, languages }) {
  const documents = evenly(usableDocuments(from), pages)
  const paths = documents.map((_, n) => `${sectionOf(n)}/page-${String(n).padStart(5, '0')}`)
  mkdirSync(join(folder, 'static/images'), { recursive: true })
  writeFileSync(join(folder, 'static/images/picture.png'), PNG)
  for (let n = 0; n < SECTIONS; n++) mkdirSync(join(folder, sectionOf(n)), { recursive: true })
  for (const [n, { title, body }] of documents.entries()) {
    const head = { title, description: `${title}: document ${n}.`, ...kindOf(n) }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    const text = languages ? body : body.replace(FENCE, '$1')
    const linked = withLinks(text, (target) => `/${paths[numberOf(target) % paths.length]}/`)
    writeFileSync(join(folder, `${paths[n]}.md`), `---\n${lines.join('')}---\n${linked}`)
  }
  return paths
}

function sectionOf(n) {
  return `section-${String(1 + (n % SECTIONS)).padStart(2, '0')}`
}

/** One fifth of the sections are blogs. */
function kindOf(n) {
  if (n % SECTIONS < (SECTIONS * 4) / 5) return { type: 'docs' }
  return {
    type: 'article',
    publish_date: new Date(Date.UTC(2024, 0, 1 + (n % 700))).toISOString().slice(0, 10),
  }
}

function usableDocuments(from) {
  const files = readdirSync(from, { recursive: true }).filter((name) => name.endsWith('.md'))
  return files.toSorted().flatMap((name) => {
    const source = readFileSync(join(from, name), 'utf8').replaceAll('\r\n', '\n')
    const body = source.replace(/^---\n[\s\S]*?\n---\n/, '')
    if (body.length < BYTES.least || body.length > BYTES.most || TEMPLATE_TAG.test(body)) return []
    const [, heading = name] = /^#{1,2} +(.+?) *$/m.exec(body) ?? []
    return [{ title: heading.replace(/[`*_[\]()<>{}#"\\]/g, '').slice(0, 90) || name, body }]
  })
}

function evenly(documents, pages) {
  if (documents.length < pages)
    throw new Error(`${pages} documents are needed, and the folder has ${documents.length} that can be used.`)
  return Array.from({ length: pages }, (_, n) => documents[Math.floor((n * documents.length) / pages)])
}

function withLinks(text, addressOf) {
  return text
    .replace(/!\[([^\]\n]*)\]\([^)\n]*\)/g, '![$1](/images/picture.png)')
    .replace(
      /(\]\()(?!https?:|mailto:|#|\/images\/)([^)\s]+)/g,
      (_, opening, target) => opening + addressOf(target),
    )
    .replace(
      /^(\[[^\]\n]+\]: +)(?!https?:|mailto:|#)(\S+)/gm,
      (_, opening, target) => opening + addressOf(target),
    )
}

/** The same number for the same text (FNV-1a). */
function numberOf(text) {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193)
  return hash >>> 0
}
