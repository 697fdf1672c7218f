import type { LanguageRegistration } from 'shiki/core'

/** Languages with a grammar of Shiki. */
export interface Languages {
  /** Name of the grammar of a language as written; null without a grammar. */
  grammarName(written: string): string | null
  /**
   * Loads a grammar with its embedded grammars. Each module is loaded at its first use.
   *
   * @param name as returned by `grammarName`.
   * @throws {RangeError} for another name.
   */
  loadGrammar(name: string): Promise<LanguageRegistration[]>
  /** All names and aliases, for suggestions. */
  readonly names: readonly string[]
}

/** Names in use beside those of Shiki. */
const ALIASES: Readonly<Record<string, string>> = {
  cc: 'cpp',
  cfg: 'ini',
  conf: 'ini',
  cxx: 'cpp',
  'docker-compose': 'yaml',
  env: 'dotenv',
  ex: 'elixir',
  exs: 'elixir',
  golang: 'go',
  gradle: 'groovy',
  h: 'c',
  hh: 'cpp',
  hpp: 'cpp',
  htm: 'html',
  html5: 'html',
  j2: 'jinja',
  jinja2: 'jinja',
  ksh: 'shellscript',
  m: 'objective-c',
  ml: 'ocaml',
  ndjson: 'jsonl',
  node: 'javascript',
  patch: 'diff',
  pl: 'perl',
  py3: 'python',
  python3: 'python',
  'sh-session': 'shellsession',
  'shell-session': 'shellsession',
  svg: 'xml',
  udiff: 'diff',
  webmanifest: 'json',
  xhtml: 'html',
}

/** Names for plain text. */
const PLAIN = new Set([
  '',
  'ansi',
  'ascii',
  'no-highlight',
  'nohighlight',
  'none',
  'output',
  'plain',
  'plaintext',
  'raw',
  'text',
  'txt',
])

/**
 * Largest number of embedded languages. Grammars with more, such as Org mode and Typst, come without them, because they
 * would take seconds to compile.
 */
const MAX_EMBEDDED = 64

export function isPlainText(written: string): boolean {
  return PLAIN.has(written.toLowerCase())
}

let languages: Promise<Languages> | null = null

/** Loads the list of languages once, in a few milliseconds. */
export function loadLanguages(): Promise<Languages> {
  languages ??= readLanguages()
  return languages
}

async function readLanguages(): Promise<Languages> {
  const { bundledLanguagesInfo } = await import('shiki/langs')
  const grammars = new Map(bundledLanguagesInfo.map((info) => [info.id, info.import]))
  const names = new Map([
    ...Object.entries(ALIASES),
    ...bundledLanguagesInfo.flatMap(({ id, aliases = [] }) =>
      [id, ...aliases].map((name) => [name, id] as const),
    ),
  ])

  return {
    names: [...names.keys()],
    grammarName: (written) => names.get(written.toLowerCase()) ?? null,
    async loadGrammar(name) {
      const grammar = grammars.get(name)
      if (grammar === undefined) throw new RangeError(`There is no grammar ${name}.`)
      const { default: all } = await grammar()
      if (all.length <= MAX_EMBEDDED) return [...all]
      return all.filter((one) => one.name === name).map((one) => ({ ...one, embeddedLangs: [] }))
    },
  }
}
