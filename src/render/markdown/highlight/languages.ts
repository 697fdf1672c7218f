import type { LanguageRegistration } from 'shiki/core'

/** Loads a grammar together with the grammars it embeds. */
type Grammar = () => Promise<{ readonly default: readonly LanguageRegistration[] }>

/** Grammars by name. Each is loaded when a page first uses it. */
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  astro: () => import('shiki/langs/astro.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  haskell: () => import('shiki/langs/haskell.mjs'),
  hcl: () => import('shiki/langs/hcl.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  http: () => import('shiki/langs/http.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  nginx: () => import('shiki/langs/nginx.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  scss: () => import('shiki/langs/scss.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  shellsession: () => import('shiki/langs/shellsession.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  zig: () => import('shiki/langs/zig.mjs'),
}

/** Other names of these languages in use. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c#': 'csharp',
  'c++': 'cpp',
  cjs: 'javascript',
  console: 'shellsession',
  cs: 'csharp',
  cts: 'typescript',
  dockerfile: 'docker',
  ex: 'elixir',
  gql: 'graphql',
  h: 'c',
  hs: 'haskell',
  htm: 'html',
  js: 'javascript',
  json5: 'jsonc',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  svg: 'xml',
  terraform: 'hcl',
  tf: 'hcl',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'shellscript',
}

/**
 * Returns the grammar's name for a language as written; null for unknown languages, whose code stays plain.
 */
export function grammarName(written: string): string | null {
  const name = written.toLowerCase()
  const found = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name
  return found !== undefined && Object.hasOwn(GRAMMARS, found) ? found : null
}

/** @param name as returned by `grammarName`. */
export async function loadGrammar(name: string): Promise<LanguageRegistration[]> {
  const grammar = GRAMMARS[name]
  if (grammar === undefined) throw new RangeError(`There is no grammar ${name}.`)
  return [...(await grammar()).default]
}
