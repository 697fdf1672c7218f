import { LRUCache } from 'lru-cache'
import type { HighlighterCore, RegexEngine } from 'shiki/core'
import { didYouMean } from '../../../domain/nearest-name.ts'
import { isPlainText, type Languages, loadLanguages } from './languages.ts'
import { sharePatterns } from './shared-patterns.ts'
import type { Token, TokenCache, TokenLines } from './token-cache.ts'
import { KIND_THEME, kindOf } from './token-kinds.ts'

export interface Highlighter {
  /**
   * Returns the tokens of each line; null for an unknown language or too much code, which stay plain, and for code
   * whose grammar is not loaded.
   */
  highlight(code: string, language: string): TokenLines | null
  /** Loads the grammars that `highlight` lacked. Returns false if it lacked none. */
  loadMissing(): Promise<boolean>
  /** Reason for plain code of a language, as a sentence; null for a highlighted or plain language. */
  plainReason(language: string): string | null
}

export interface HighlightOptions {
  /** Largest number of languages of a page. Code in others stays plain. */
  readonly languages: number
  /** Lasting cache of tokens; null keeps them in memory only. */
  readonly cache: TokenCache | null
}

export const UNLIMITED_HIGHLIGHTING: HighlightOptions = { languages: Number.POSITIVE_INFINITY, cache: null }

/** Maximum line length in UTF-16 code units: grammars can take very long on longer lines. */
const MAX_LINE = 2_000
const MAX_CODE = 32_768
const CACHED_CODE = 2 * 1024 * 1024
/** Number of kept highlighters, 3 MB each on average. Pages in rendering hold theirs in any case. */
const CACHED_HIGHLIGHTERS = 32

const recent = new LRUCache<string, TokenLines>({
  maxSize: CACHED_CODE,
  sizeCalculation: (_, key) => key.length + 1,
})
/** Highlighter in a wrapper, so that the registry notices its last release by cache and pages. */
interface LoadedGrammar {
  /** Created for the first code outside of caches. */
  core(): HighlighterCore
}
const loaded = new LRUCache<string, Promise<LoadedGrammar>>({ max: CACHED_HIGHLIGHTERS })
/** Frees compiled expressions, because the memory of WebAssembly is not collected. */
const compiled = new FinalizationRegistry<HighlighterCore>((core) => core.dispose())
let engine: Promise<RegexEngine> | null = null

const NOTHING: Highlighter = {
  highlight: () => null,
  plainReason: () => null,
  loadMissing: async () => false,
}

/**
 * Loads the grammars of the languages named after fences in `source`. Tokens of a block depend on its code and language
 * alone, not on other loaded grammars. With a lasting cache, which has the tokens of most pages, it loads none, and
 * `loadMissing` those that turn out to be needed: engine and grammars are a fifth of a build of one changed page.
 */
export async function loadHighlighter(
  source: string,
  options = UNLIMITED_HIGHLIGHTING,
): Promise<Highlighter> {
  const written = languagesIn(source)
  if (written.size === 0) return NOTHING
  const languages = await loadLanguages()
  const names = new Set([...written].flatMap((name) => languages.grammarName(name) ?? []))
  const used = [...names].slice(0, options.languages)
  const grammars = new Map<string, LoadedGrammar>()
  const missing = new Set<string>()
  await load(options.cache === null ? used : used.filter((name) => loaded.has(name)))

  return {
    highlight(code, language) {
      const name = languages.grammarName(language)
      if (name === null || !used.includes(name) || code.length > MAX_CODE) return null
      const key = `${name}\n${code}`
      const known = recent.get(key)
      if (known !== undefined) return known
      const lines = options.cache?.find(code, name) ?? computed(code, name)
      if (lines !== null) recent.set(key, lines)
      return lines
    },
    async loadMissing() {
      const names = [...missing]
      missing.clear()
      await load(names)
      return names.length > 0
    },
    plainReason(language) {
      const name = languages.grammarName(language)
      if (name !== null)
        return used.includes(name) || !names.has(name)
          ? null
          : `a page may have code in ${options.languages} languages.`
      if (isPlainText(language)) return null
      return `there is no language of this name.${didYouMean(language.toLowerCase(), languages.names)}`
    },
  }

  async function load(wanted: readonly string[]): Promise<void> {
    await Promise.all(wanted.map(async (name) => grammars.set(name, await grammarOf(name, languages))))
  }

  function computed(code: string, name: string): TokenLines | null {
    const grammar = grammars.get(name)
    if (grammar === undefined) {
      missing.add(name)
      return null
    }
    const lines = tokenise(code, name, grammar.core())
    options.cache?.add(code, name, lines)
    return lines
  }
}

const NAMED = /(?:`{3}(?!`)|~{3}(?!~)|language-)[ \t]*([\w+#.-]{1,30})/g

function languagesIn(source: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, written = ''] of source.matchAll(NAMED)) if (!isPlainText(written)) names.add(written)
  return names
}

/**
 * Highlighters, one for each language. In a shared one, the colours of code embedded in Markdown would depend on the
 * loaded grammars.
 */
function grammarOf(name: string, languages: Languages): Promise<LoadedGrammar> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const grammar = loadGrammar(name, languages)
  loaded.set(name, grammar)
  return grammar
}

async function loadGrammar(name: string, languages: Languages): Promise<LoadedGrammar> {
  engine ??= loadEngine()
  const [{ createHighlighterCoreSync }, lang, loadedEngine] = await Promise.all([
    import('shiki/core'),
    languages.loadGrammar(name),
    engine,
  ])
  let created: HighlighterCore | null = null
  const grammar = {
    core() {
      if (created !== null) return created
      created = createHighlighterCoreSync({
        engine: loadedEngine,
        langs: [lang],
        themes: [KIND_THEME],
        warnings: false,
      })
      compiled.register(grammar, created)
      return created
    },
  }
  return grammar
}

/**
 * Oniguruma as WebAssembly. Some grammars take seconds to compile when translated to JavaScript regular
 * expressions.
 */
async function loadEngine(): Promise<RegexEngine> {
  const { createOnigurumaEngine } = await import('@shikijs/engine-oniguruma')
  return sharePatterns(await createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined')))
}

function tokenise(code: string, lang: string, highlighter: HighlighterCore): TokenLines {
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
