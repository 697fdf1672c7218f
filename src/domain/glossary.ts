import { isJsonObject, type JsonObject } from './json.ts'
import type { DataFault } from './site-data.ts'

/*
 * The glossary of a site is the value `glossary` of its data: `terms`, an explanation for each term, and `pages`, which
 * pages show explanations unless they say so themselves.
 */

export interface Term {
  /** The term and its other forms. */
  readonly forms: readonly string[]
  readonly text: string
  /** The address of more about the term; null for none. */
  readonly href: string | null
}

export interface Glossary {
  readonly terms: readonly Term[]
  readonly pages: 'all' | 'docs' | 'chosen'
}

const MAX_TERMS = 500
const MAX_FORMS = 10
const MAX_TERM = 100
const MAX_TEXT = 500
const PAGES: readonly unknown[] = ['all', 'docs', 'chosen', undefined]

/** The glossary in the data of a site, without entries that are invalid; null for none. */
export function glossaryOf(data: JsonObject): Glossary | null {
  const written = data['glossary']
  if (!isJsonObject(written) || !isJsonObject(written['terms'])) return null
  const terms = Object.entries(written['terms'])
    .slice(0, MAX_TERMS)
    .flatMap(([term, entry]) => {
      const read = termOf(term, entry)
      return typeof read === 'string' ? [] : [read]
    })
  const pages = written['pages'] === 'all' || written['pages'] === 'docs' ? written['pages'] : 'chosen'
  return { terms, pages }
}

/** The entries of the glossary that pages cannot show. */
export function glossaryFaults({ glossary }: JsonObject): readonly DataFault[] {
  if (!isJsonObject(glossary) || !isJsonObject(glossary['terms'])) return []
  const terms = Object.entries(glossary['terms'])
  const faults = terms.flatMap(([term, entry]) => {
    const read = termOf(term, entry)
    return typeof read === 'string' ? [{ path: ['glossary', 'terms', term], message: read }] : []
  })
  return [
    ...(terms.length > MAX_TERMS
      ? [{ path: ['glossary', 'terms'], message: `must have at most ${MAX_TERMS} entries.` }]
      : []),
    ...(PAGES.includes(glossary['pages'])
      ? []
      : [{ path: ['glossary', 'pages'], message: 'must be all, docs or chosen.' }]),
    ...faults,
  ]
}

/** The end of a sentence about an entry that is no term. */
function termOf(term: string, entry: unknown): Term | string {
  const {
    text,
    also = [],
    href = null,
  }: Readonly<Record<string, unknown>> = isJsonObject(entry) ? entry : { text: entry }
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT)
    return `must be a text of up to ${MAX_TEXT} characters, or an object with such a text.`
  const forms = [term, ...(Array.isArray(also) ? also : [also])]
  const areForms = forms.every((form) => typeof form === 'string' && isForm(form))
  if (!areForms || forms.length > MAX_FORMS)
    return `and each entry of its list also must have up to ${MAX_TERM} characters, and begin and end with a letter or digit.`
  if (href !== null && typeof href !== 'string') return 'has an href that is no text.'
  return { forms: forms as readonly string[], text: text.trim(), href }
}

function isForm(form: string): boolean {
  return form.length <= MAX_TERM && /^[\p{L}\p{N}](?:[^\n<>]*[\p{L}\p{N}+#])?$/u.test(form)
}
