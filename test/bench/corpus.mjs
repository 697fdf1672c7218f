// A seeded generator of realistic Markdown. The same seed creates the same files on every machine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SECTIONS = 50
const IMAGES = 200
/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SYLLABLES = 'ba co di fu ge ha jo ki la me no pu ra se ti vo we xi ya zu an er in or un'.split(' ')
const LANGUAGES = ['js', 'ts', 'bash', 'json', 'html', 'css', 'python', 'yaml']
const CODE = {
  js: [
    'const answer = compute(6, 7)',
    'if (answer === 42) console.log("it is", answer)',
    'export { answer }',
  ],
  ts: [
    'interface Page { readonly slug: string }',
    'const titles = new Map<string, Page>()',
    'type Key = keyof Page',
  ],
  bash: ['npm install', 'curl -s "$URL/pages" | jq .data', 'export NODE_ENV=production'],
  json: ['{ "name": "page",', '  "tags": ["one", "two"],', '  "draft": false }'],
  html: ['<main id="content">', '  <p class="lead">Some text</p>', '</main>'],
  css: ['.card { display: grid; gap: 1rem; }', '@media (width > 40rem) {', '  .card { padding: 2rem; } }'],
  python: ['def compute(a: int, b: int) -> int:', '    return a * b', 'print(compute(6, 7))'],
  yaml: ['title: A page', 'tags:', '  - one'],
}

/**
 * Writes pages of 1 to 15 KB (median 4 KB) into `section-01` to `section-50` of a folder, and their images into
 * `static/images`.
 *
 * @returns their paths in the folder, without extension.
 */
export function writeCorpus(folder, { pages, languages = false, seed = 1 }) {
  const random = generator(seed)
  const words = Array.from({ length: 3_000 }, () => word(random))
  const paths = Array.from(
    { length: pages },
    (_, n) => `section-${pad(1 + (n % SECTIONS), 2)}/page-${pad(n, 5)}`,
  )
  for (let n = 1; n <= SECTIONS; n++) mkdirSync(join(folder, `section-${pad(n, 2)}`), { recursive: true })
  mkdirSync(join(folder, 'static/images'), { recursive: true })
  for (const name of words.slice(0, IMAGES)) writeFileSync(join(folder, `static/images/${name}.png`), PNG)
  for (const [n, path] of paths.entries()) {
    const section = 1 + (n % SECTIONS)
    writeFileSync(join(folder, `${path}.md`), page({ random, words, paths, languages, section }))
  }
  return paths
}

function page(tools) {
  const { random, words } = tools
  const title = sentence(random, words, 3, 7).replace(/\.$/, '')
  const head = frontMatter({ title, description: sentence(random, words, 8, 16), ...kind(tools) })
  // Log-normal with sigma 0.75: 1 to 15 KB, median 4 KB.
  const bytes = Math.min(15_000, Math.max(1_000, 4_000 * Math.exp(0.75 * normal(random))))
  const parts = [paragraph(random, words)]
  for (let length = parts[0].length; length < bytes; ) {
    const part = block(tools)
    parts.push(part)
    length += part.length
  }
  return `${head}\n${parts.join('\n\n')}\n`
}

/** One fifth of the sections are blogs. */
function kind({ random, section }) {
  if (section <= (SECTIONS * 4) / 5) return { type: 'docs' }
  const day = new Date(Date.UTC(2024, 0, 1) + Math.floor(random() * 700) * 86_400_000).toISOString()
  return { type: 'article', publish_date: day.slice(0, 10) }
}

function frontMatter(fields) {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n`
}

/** A block of Markdown. Kinds are about as frequent as in real documentation. */
function block({ random, words, paths, languages }) {
  const dice = random()
  if (dice < 0.16)
    return `${random() < 0.7 ? '##' : '###'} ${sentence(random, words, 2, 6).replace(/\.$/, '')}`
  if (dice < 0.3) return list(random, words)
  if (dice < 0.35) return table(random, words)
  if (dice < 0.47) return code(random, languages)
  if (dice < 0.5) return `![${pick(random, words)}](/images/${pick(random, words.slice(0, IMAGES))}.png)`
  if (dice < 0.53) return `> ${sentence(random, words, 8, 20)}`
  const text = paragraph(random, words)
  if (dice > 0.75) return text
  const target = dice < 0.7 ? `/${pick(random, paths)}/` : `https://example.com/${pick(random, words)}`
  return `${text} See [${pick(random, words)} ${pick(random, words)}](${target}).`
}

function paragraph(random, words) {
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => sentence(random, words, 6, 18)).join(' ')
}

function sentence(random, words, least, most) {
  const length = least + Math.floor(random() * (most - least))
  const text = Array.from({ length }, () => decorated(random, pick(random, words))).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function decorated(random, word) {
  const dice = random()
  if (dice < 0.015) return `**${word}**`
  if (dice < 0.03) return `*${word}*`
  return dice < 0.045 ? `\`${word}\`` : word
}

function list(random, words) {
  const isNumbered = random() < 0.3
  const items = Array.from({ length: 3 + Math.floor(random() * 5) }, (_, n) => {
    const item = `${isNumbered ? `${n + 1}.` : '-'} ${sentence(random, words, 4, 12)}`
    return random() < 0.1 ? `${item}\n   - ${sentence(random, words, 3, 8)}` : item
  })
  return items.join('\n')
}

function table(random, words) {
  const columns = 2 + Math.floor(random() * 3)
  const row = () => `| ${Array.from({ length: columns }, () => pick(random, words)).join(' | ')} |`
  const rows = Array.from({ length: 3 + Math.floor(random() * 6) }, row)
  return [row(), `|${' --- |'.repeat(columns)}`, ...rows].join('\n')
}

function code(random, languages) {
  const language = pick(random, LANGUAGES)
  const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => CODE[language].join('\n'))
  return `\`\`\`${languages ? language : ''}\n${lines.join('\n')}\n\`\`\``
}

function word(random) {
  return Array.from({ length: 1 + Math.floor(random() * 3.5) }, () => pick(random, SYLLABLES)).join('')
}

function pick(random, items) {
  return items[Math.floor(random() * items.length)]
}

function pad(number, digits) {
  return String(number).padStart(digits, '0')
}

/** The mulberry32 generator. Returns numbers from 0 to less than 1. */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A sample of the standard normal distribution (Box-Muller). */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
