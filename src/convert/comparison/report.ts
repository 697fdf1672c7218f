import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { Account } from './accounts.ts'
import { type Comparison, isComplete, isWhole, type Kept } from './compare.ts'
import type { Published } from './published.ts'

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

/** Generalises a message. Only the beginning of code stays: the name of a tag or of a component. */
function kindOf(message: string): string {
  return message
    .replace(/\bby_locale\.[\w-]+/g, 'by_locale.…')
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

/** The number of losses of each kind that the terminal names. The report has all. */
const EXAMPLES = 3

/** The lines of a comparison: one for each kind of content, with its first losses. */
export function comparisonLines(comparison: Comparison): readonly string[] {
  const { accounts, hidden, leftOut, reported } = comparison
  const lost = accounts.reduce((sum, account) => sum + account.lost.length, 0)
  return [
    ...keptLines(comparison),
    ...accounts.flatMap((account) => [accountLine(account), ...lossLines(account)]),
    ...(hidden === 0 ? [] : [`Hidden pages that stay hidden: ${hidden}`]),
    ...(leftOut === 0 ? [] : [`Markdown files that are left out, as reported: ${leftOut}`]),
    ...(reported === 0 ? [] : [`Parts left out or changed, as reported: ${reported}`]),
    ...(isComplete(comparison) ? ['Nothing was lost.'] : []),
    ...(lost === 0 ? [] : [`Lost: ${lost} that the source site publishes. The report names each.`]),
  ]
}

function keptLines({ pages, words, links, pictures, codeBlocks, unread }: Comparison): readonly string[] {
  // The text of a program is unknown until it runs.
  const ofPages = unread.length === 0 ? '' : ' of the converted pages'
  const line = (name: string, kept: Kept) =>
    `${name}: ${percentKept(kept)} kept (${kept.total - kept.missing} of ${kept.total})`
  return [
    line('Pages', pages),
    line(`Words${ofPages}`, words),
    line(`Links${ofPages}`, links),
    line(`Pictures${ofPages}`, pictures),
    line(`Code blocks${ofPages}`, codeBlocks),
  ]
}

/** `Addresses: 66.6 % kept (2 of 3; 1 by a redirect)`. */
function accountLine({ kind, total, changed, lost }: Account): string {
  const ways = [...changed].map(([how, count]) => `; ${count} ${how}`).join('')
  const kept = { total, missing: lost.length }
  return `${kind}: ${percentKept(kept)} kept (${total - lost.length} of ${total}${ways})`
}

function lossLines({ lost }: Account): readonly string[] {
  const more = lost.length - EXAMPLES
  return [
    ...lost.slice(0, EXAMPLES).map((each) => `  lost: ${lossName(each)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ]
}

/** `/old of astro.config.mjs:4`. */
function lossName({ name, file, line }: Published): string {
  const place = [file, line].filter((part) => part !== null && part !== '').join(':')
  return place === name || place === '' ? name : `${name} of ${place}`
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
    ...comparisonLines({ ...comparison, accounts: [] }).map((line) => `- ${line}`),
    ...comparison.accounts.map((account) => `- ${accountLine(account)}`),
    '',
    ...lostSection(comparison.accounts),
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

/** All losses, by their kind. */
function lostSection(accounts: readonly Account[]): readonly string[] {
  const having = accounts.filter(({ lost }) => lost.length > 0)
  if (having.length === 0) return []
  return [
    '## Lost',
    '',
    ...having.flatMap(({ kind, lost }) => [
      `### ${kind}`,
      '',
      ...lost.map((each) => `- ${lossName(each)}`),
      '',
    ]),
  ]
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, MAX_LISTED).join(', ')
  return items.length > MAX_LISTED ? `${shown}, …` : shown
}
