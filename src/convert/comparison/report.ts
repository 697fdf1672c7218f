import type { Diagnostic } from '../../domain/diagnostic.ts'
import { type Comparison, isWhole, type Kept } from './compare.ts'

/** Diagnostics that say the same of different things. */
export interface DiagnosticGroup {
  readonly code: string
  /** The message with `…` for what differs. */
  readonly kind: string
  readonly diagnostics: readonly Diagnostic[]
}

const MAX_LISTED = 40

/** Groups diagnostics by what they say. The largest groups come first. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly DiagnosticGroup[] {
  const groups = new Map<string, Diagnostic[]>()
  for (const each of diagnostics) {
    const key = `${each.code} ${kindOf(each.message)}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return [...groups]
    .map(([key, inside]) => {
      const space = key.indexOf(' ')
      return { code: key.slice(0, space), kind: key.slice(space + 1), diagnostics: inside }
    })
    .toSorted((one, other) => other.diagnostics.length - one.diagnostics.length)
}

/** Of code, only its beginning is the same: the name of a tag or of a component. */
function kindOf(message: string): string {
  return message
    .replace(/`([^`]*)`/g, (_, code: string) => {
      const [start = ''] =
        /^(?:\{\{[<%]?-?\s*[\w./-]*|\{%-?\s*\w+|\{[:.#]?|<\/?[\w.]+|:[a-z]+-|[\w.]+)/.exec(code) ?? []
      return start === '' || start === code ? `\`${code}\`` : `\`${start} …\``
    })
    .replace(/"[^"]*"/g, '"…"')
    .replace(/(?<=\s)\/[^\s,]*/g, '/…')
    .replace(/\b\d[\d-]*\b/g, '…')
}

/** `99.8 %`, rounded down, so that 100 % means all. */
function percentKept({ total, missing }: Kept): string {
  if (total === 0 || missing === 0) return '100 %'
  return `${(Math.floor(((total - missing) / total) * 1000) / 10).toFixed(1)} %`
}

/** What was kept, one line for each kind of content. */
export function comparisonLines(comparison: Comparison): readonly string[] {
  const line = (name: string, kept: Kept) =>
    `${name}: ${percentKept(kept)} kept (${kept.total - kept.missing} of ${kept.total})`
  const { pages, words, links, pictures, codeBlocks, hidden, leftOut, reported } = comparison
  return [
    line('Pages', pages),
    line('Words', words),
    line('Links', links),
    line('Pictures', pictures),
    line('Code blocks', codeBlocks),
    ...(hidden === 0 ? [] : [`Hidden pages that stay hidden: ${hidden}`]),
    ...(leftOut === 0 ? [] : [`Markdown files that are left out, as reported: ${leftOut}`]),
    ...(reported === 0 ? [] : [`Parts left out or changed, as reported: ${reported}`]),
    ...(isWhole(comparison)
      ? [leftOut + reported === 0 ? 'Nothing was lost.' : 'Nothing else was lost.']
      : []),
  ]
}

/** The whole report of a conversion as Markdown. */
export function conversionReport(
  title: string,
  diagnostics: readonly Diagnostic[],
  comparison: Comparison,
): string {
  const groups = groupDiagnostics(diagnostics)
  return [
    `# ${title}`,
    '',
    ...comparisonLines(comparison).map((line) => `- ${line}`),
    '',
    ...(groups.length === 0 ? [] : ['## Reported', '']),
    ...groups.flatMap(({ code, kind, diagnostics: inside }) => [
      `### ${inside.length} × ${code}: ${kind}`,
      '',
      ...inside.map(({ file, line, message }) => `- ${file}${line === null ? '' : `:${line}`}: ${message}`),
      '',
    ]),
    ...(isWhole(comparison) ? [] : ['## Missing content', '']),
    ...comparison.unaccounted.map((path) => `- ${path}: the file is not converted.`),
    ...comparison.missingPages.map((path) => `- ${path}: the new folder has no page for it.`),
    ...comparison.losses.map(({ source, file, words, links, pictures, codeBlocks }) =>
      [
        `- ${source} → ${file}:`,
        words.length === 0 ? '' : `${words.length} words (${listed(words)});`,
        links.length === 0 ? '' : `${links.length} links (${listed(links)});`,
        pictures.length === 0 ? '' : `${pictures.length} pictures (${listed(pictures)});`,
        codeBlocks === 0 ? '' : `${codeBlocks} code blocks;`,
      ]
        .filter((part) => part !== '')
        .join(' ')
        .replace(/;$/, ''),
    ),
    '',
  ].join('\n')
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MAX_LISTED).join(', ')
  return items.length > MAX_LISTED ? `${shown}, …` : shown
}
