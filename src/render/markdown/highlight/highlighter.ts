import { LRUCache } from 'lru-cache'
import type { HighlighterCore, RegexEngine } from 'shiki/core'
import { grammarName, loadGrammar } from './languages.ts'
import { KIND_THEME, kindOf, type TokenKind } from './token-kinds.ts'

/** Part of a line. `kind` is null for ordinary text. */
export interface Token {
  readonly text: string
  readonly kind: TokenKind | null
}

/** Returns the tokens of each line; null for an unknown language or too much code, which stay plain. */
export type Highlight = (code: string, language: string) => readonly (readonly Token[])[] | null

/** Maximum line length in UTF-16 code units: grammars can take very long on longer lines. */
const MAX_LINE = 2_000
const MAX_CODE = 32_768
/** A grammar needs up to 0.2 s before its first line, and a page may take 2 s in all. */
const MAX_LANGUAGES_PER_PAGE = 6
const CACHED_CODE = 2 * 1024 * 1024

const cache = new LRUCache<string, readonly (readonly Token[])[]>({
  maxSize: CACHED_CODE,
  sizeCalculation: (_, key) => key.length + 1,
})
const loaded = new Map<string, Promise<HighlighterCore>>()
let engine: Promise<RegexEngine> | null = null

/**
 * Loads the grammars of the languages that `source` names after fences. The tokens of a block depend on its
 * code and language alone, not on which grammars are loaded.
 */
export async function loadHighlight(source: string): Promise<Highlight> {
  const names = languagesIn(source)
  const grammars = await Promise.all(names.map(async (name) => [name, await highlighterOf(name)] as const))
  const highlighters = new Map(grammars)

  return (code, language) => {
    const name = grammarName(language)
    const highlighter = name === null ? undefined : highlighters.get(name)
    if (name === null || highlighter === undefined || code.length > MAX_CODE) return null
    const key = `${name}\n${code}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const lines = tokenise(code, name, highlighter)
    cache.set(key, lines)
    return lines
  }
}

const NAMED = /(?:`{3,}|~{3,}|language-)[ \t]*([\w+#.-]{1,30})/g

function languagesIn(source: string): readonly string[] {
  const names = new Set<string>()
  for (const [, written = ''] of source.matchAll(NAMED)) {
    const name = grammarName(written)
    if (name !== null) names.add(name)
    if (names.size === MAX_LANGUAGES_PER_PAGE) break
  }
  return [...names]
}

/**
 * One highlighter per language. In a shared one, code embedded in Markdown would be coloured by the grammars
 * that happen to be loaded.
 */
function highlighterOf(name: string): Promise<HighlighterCore> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const created = createHighlighter(name)
  loaded.set(name, created)
  return created
}

async function createHighlighter(name: string): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, lang] = await Promise.all([import('shiki/core'), loadGrammar(name)])
  engine ??= loadEngine()
  return createHighlighterCore({ engine: await engine, langs: [lang], themes: [KIND_THEME], warnings: false })
}

/**
 * Oniguruma as WebAssembly. Some grammars take seconds to compile when translated to JavaScript regular
 * expressions.
 */
async function loadEngine(): Promise<RegexEngine> {
  const { createOnigurumaEngine } = await import('shiki/engine/oniguruma')
  return createOnigurumaEngine(import('shiki/wasm'))
}

function tokenise(code: string, lang: string, highlighter: HighlighterCore): readonly (readonly Token[])[] {
  const lines = highlighter.codeToTokensBase(code.replaceAll('\r\n', '\n'), {
    lang,
    theme: KIND_THEME,
    tokenizeMaxLineLength: MAX_LINE,
    // A time limit would make the output depend on the machine's speed.
    tokenizeTimeLimit: 0,
  })
  return lines.map((line) =>
    mergeTokens(line.map(({ content, color }) => ({ text: content, kind: kindOf(color) }))),
  )
}

/** Merges neighbouring tokens of one kind, and white space with the token before it. */
function mergeTokens(tokens: readonly Token[]): readonly Token[] {
  const fewer: Token[] = []
  for (const token of tokens) {
    const last = fewer.at(-1)
    const joins = last !== undefined && (last.kind === token.kind || token.text.trim() === '')
    if (joins) fewer[fewer.length - 1] = { ...last, text: last.text + token.text }
    else fewer.push(token)
  }
  return fewer
}
