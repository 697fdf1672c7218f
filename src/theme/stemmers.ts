import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/*
 * Scripts that find the stem of a word, so that search finds its other forms. Each language has one. Pages in that
 * language load it when search is first opened.
 */

interface Stemmer {
  /** A CommonJS module that exports `stem` or `stemmer`. */
  readonly module: string
  /**
   * Letters that the stemmer needs, but the index writes without their marks: patterns at the end of a word, and the
   * original letters.
   */
  readonly restores?: readonly (readonly [pattern: string, letters: string])[]
}

const STEMMERS: Readonly<Record<string, Stemmer>> = {
  da: { module: '@orama/stemmers/danish' },
  de: { module: '@orama/stemmers/german' },
  en: { module: 'porter2' },
  es: { module: '@orama/stemmers/spanish', restores: [['([cs])ion$', '$1ión']] },
  fi: { module: '@orama/stemmers/finnish' },
  fr: { module: '@orama/stemmers/french' },
  hu: { module: '@orama/stemmers/hungarian' },
  it: { module: '@orama/stemmers/italian' },
  nl: { module: '@orama/stemmers/dutch' },
  no: { module: '@orama/stemmers/norwegian' },
  pt: {
    module: '@orama/stemmers/portuguese',
    restores: [
      ['cao$', 'ção'],
      ['coes$', 'ções'],
    ],
  },
  ro: { module: '@orama/stemmers/romanian' },
  ru: { module: '@orama/stemmers/russian', restores: [['([аеиоуыэюя])и$', '$1й']] },
  sv: { module: '@orama/stemmers/swedish' },
  tr: { module: '@orama/stemmers/turkish' },
}

/** Written Norwegian has two tags of its own. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }

/** The language whose stemmer a document in this language uses; null if there is none. @param tag e.g. `de-AT`. */
export function stemmerLanguage(tag: string): string | null {
  const [primary = ''] = tag.toLowerCase().split('-')
  const language = SAME[primary] ?? primary
  return Object.hasOwn(STEMMERS, language) ? language : null
}

/** The scripts by language. Each sets `quoinStem`, a function from a word of the index to its stem. */
export async function readStemmers(): Promise<ReadonlyMap<string, string>> {
  const scripts = Object.entries(STEMMERS).map(async ([language, stemmer]) => {
    const code = await readFile(createRequire(import.meta.url).resolve(stemmer.module), 'utf8')
    return [language, stemmerScript(code, stemmer)] as const
  })
  return new Map(await Promise.all(scripts))
}

/** A function from a word of the index in this language to its stem; null for a language without one. */
export function createStemmer(tag: string): ((word: string) => string) | null {
  const language = stemmerLanguage(tag)
  const stemmer = language === null ? undefined : STEMMERS[language]
  if (stemmer === undefined) return null
  const { stemmer: named, stem = named } = createRequire(import.meta.url)(stemmer.module)
  const restores = (stemmer.restores ?? []).map(
    ([pattern, letters]) => [new RegExp(pattern), letters] as const,
  )
  return (word) => stem(restores.reduce((all, [from, to]) => all.replace(from, to), word))
}

/** Its words are cached, because a search compares the words of the query with many of the index. */
function stemmerScript(code: string, { restores = [] }: Stemmer): string {
  return `;(() => {
const module = { exports: {} };
((module, exports) => {
${code.replace(/^\s*\/\/.*\n/gm, '')}
})(module, module.exports)
const stem = module.exports.stemmer ?? module.exports.stem
const restores = [${restores.map(([pattern, letters]) => `[/${pattern}/, '${letters}']`).join(', ')}]
const known = new Map()
globalThis.quoinStem = (word) => {
if (!known.has(word)) known.set(word, stem(restores.reduce((all, [from, to]) => all.replace(from, to), word)))
return known.get(word)
}
})()
`
}
