import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

/*
 * Regular expressions take time that grows with the text, not with its square. Those of `src/convert` are missing: they
 * read a person's own files, on that person's machine. So are those that are put together while the program runs.
 */

const THEME = 'a theme is written by who runs the service'
const HEADING = 'a heading has at most 1,000 characters: 8 ms; in converters 2,000'
const DIAGRAM = 'a diagram has at most 5,000 characters'
const PACKAGE = 'the text is a part of the package'

/** Patterns that take longer, and what bounds the time. */
const BOUNDED: readonly (readonly [pattern: RegExp, bound: string])[] = [
  [/(\p{M}{30})\p{M}+/gu, 'each place is read 30 times'],
  [
    /^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\])?[^>]*>|\s+)*/i,
    'the first 4,096 bytes of a file: 8 ms',
  ],
  [/(\S+) (\S+)/g, PACKAGE],
  [/<h1(?:\s[^<>]*)?>(.*?)<\/h1>/is, HEADING],
  [/(`+)(.+?)\1(?!`)/, HEADING],
  [/\s*\{[#.:][^{}]*\}\s*$/, HEADING],
  [/<img\b[^<>]*\balt="([^"]*)"[^<>]*>/gi, HEADING],
  [/(?<!\\)(\*\*\*|\*\*|\*|~~)(?=\S)(.+?)(?<=[^\s\\])\1/g, HEADING],
  [/(?<![\p{L}\p{N}\\])(__|_)(?=\S)(.+?)(?<=[^\s\\])\1(?![\p{L}\p{N}])/gu, HEADING],
  [
    /\.(png|jpe?g|gif|webp|avif|svg)([?#]\S*)?$/i,
    'an address, where no blank follows: the first match holds',
  ],
  [/<%[\s\S]*?%>/g, THEME],
  [/<%[-_]?\s*~([\s\S]*?)[-_]?%>/g, THEME],
  [/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, THEME],
  [/\/\*[\s\S]*?\*\//g, THEME],
  [/url\(\s*(["']?)assets\/([^"')]*)\1\s*\)/g, THEME],
  [/^\/\*\*[\s\S]*?\*\/\n/gm, PACKAGE],
  [/^\s*\/\/.*\n/gm, PACKAGE],
  [/@import\b[^;]*|url\(\s*['"]?http:[^)]*\)/gi, THEME],
  [/url\(\s*['"]?(?!\s*['"]?(?:assets\/|[a-z][a-z\d+.-]*:|#|\/))[^)]*\)/gi, THEME],
  [/<%[\s\S]*?%>|<!--[\s\S]*?-->/g, THEME],
  [/<script(?![^>]*\s(?:src|type\s*=\s*["']?[\w/+]*json))[^>]*>/gi, THEME],
  [/\s(?:href|src|action|formaction)\s*=\s*["']?\s*javascript:/gi, THEME],
  [
    /\s(?:href|src|action|formaction|poster)\s*=\s*["']?<%[=~]((?:(?!%>|\b(?:href|asset)\()[\s\S])*\b(?:config|data)\b(?:(?!%>|\b(?:href|asset)\()[\s\S])*)%>/gi,
    THEME,
  ],
  [/<%[\s\S]*?%>|<!--[\s\S]*?-->|<[a-z][\w-]*(?:<%=[^%]*%>)?/gi, THEME],
  [/\s*;\s*q=/, 'the first 500 characters of a header'],
  [
    /"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|[[\]>]/gs,
    'a document type has at most 65,536 characters: 0.4 s, in a process of its own',
  ],
  [
    /<(?<![\p{L}\p{N}_]<)\/?[A-Z][a-z][\w.]*(?=[\s/>])|^import[ \t]+(?:[^\n"']{1,200}[ \t]from[ \t]+)?["'][^"'\n]{1,200}["'];?$|^export[ \t]+(?:const|default|function)[ \t]|\{\/\*/mu,
    'repetitions of at most 200 characters: 40 ms for 64,000 characters',
  ],
  [
    /<(\/?)picture\b[^>]*>|<(img|source data-dark)((?:\s+[^\s=<>"'/]+(?:="[^"]*")?)*)\s*\/?>/g,
    'a finished document: every tag ends, so that each match does',
  ],
  [/<html[^>]*?\slang="([\w-]+)"/, 'the first 1,000 characters of a document'],
  [
    /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|[\p{L}\p{N}.-]+\.\p{L}{2,}[/:?#])\S*/giu,
    'a name or an address of a person has at most 254 characters',
  ],
  [/%%\{[\s\S]*?\}%%/g, DIAGRAM],
  [/[^\S\n]{0,99}(<?(?:-{2,}>|-{3,}|={2,}>|={3,}|-\.+->?))[^\S\n]*/g, DIAGRAM],
  [
    /^\d[\d.,]*\s?(?:[-–]\s?\d[\d.,]*\s?)?[kmb]?[\s,;.:)]+(?![\s,;.:)])(?:\p{L}{2,}|\S*\s+\p{L}{2,})/iu,
    'the first 200 characters of a formula',
  ],
]

const bounds = new Map(BOUNDED.map(([pattern, bound]) => [String(pattern), bound]))
const found = patternsOfSources()

test('every pattern is linear, or is listed with what bounds its time', { timeout: 600_000 }, async () => {
  const slow: string[] = []
  for (const [pattern, { source, flags, file }] of found) {
    if (!isUnbounded(source) || bounds.has(pattern)) continue
    const result = await check(source, flags, LIMITS)
    if (result.status === 'safe') continue
    const attack = result.status === 'vulnerable' ? `slow for ${result.attack.pattern}` : 'not understood'
    slow.push(`${file}: ${pattern} is ${attack}`)
  }
  expect(slow).toEqual([])
})

test('every listed pattern is one of the product', () => {
  expect([...bounds.keys()].filter((pattern) => !found.has(pattern))).toEqual([])
})

/** The search for slow texts ends after as many steps on every machine, not after a time: a run repeats the last one. */
const LIMITS = {
  randomSeed: 1,
  timeout: 120_000,
  seedingTimeout: 120_000,
  incubationTimeout: 120_000,
  attackTimeout: 120_000,
  recallTimeout: -1,
} as const

/** Where each repetition has a limit, so has the work at each place of a text. */
function isUnbounded(source: string): boolean {
  return /[*+]|\{\d+,\}/.test(source.replace(/\\./g, ''))
}

interface Pattern {
  readonly source: string
  readonly flags: string
  /** The first file that has it. */
  readonly file: string
}

function patternsOfSources(): ReadonlyMap<string, Pattern> {
  const files = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('convert/'),
  )
  return new Map(
    files.flatMap(patternsOf).map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern] as const),
  )
}

function patternsOf(file: string): readonly Pattern[] {
  const patterns: Pattern[] = []
  const program = parseAst(readFileSync(join(PACKAGE_ROOT, 'src', file), 'utf8'), { lang: 'ts' }, file)
  visit(program)
  return patterns

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string }
      patterns.push({ source: pattern, flags, file })
    }
    Object.values(node).forEach(visit)
  }
}
