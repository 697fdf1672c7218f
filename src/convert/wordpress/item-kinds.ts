import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { ItemOutline } from './tables.ts'

/** Kinds whose items are no pages: drawings, settings, orders, forms, logs of WordPress and of common plugins. */
const INTERNAL =
  /^(?:revision|wp_.*|custom_css|customize_changeset|oembed_cache|user_request|acf-.*|shop_(?:order|coupon|subscription).*|product_variation|scheduled-action|elementor_.*|fl-builder-template|et_.*|ct_template|jetpack_.*|jp_.*|feedback|wpcf7_.*|wpforms.*|mc4wp-form|nf_sub|flamingo_.*|amp_.*|tablepress_table)$/
/** Statuses of items that nobody sees, and that are no drafts of anybody. */
const DISCARDED = /^(?:trash|auto-draft|inherit)$/

interface SortedItems {
  /** Items that become pages and articles. */
  readonly shown: readonly ItemOutline[]
  /** Says of each other kind how many items are kept and left out. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Chooses the items that become pages: posts, pages, and those with a text of each kind that has addresses.
 *
 * @param pathOf the path of an address of the site.
 */
export function sortItems(
  items: readonly ItemOutline[],
  pathOf: (address: string) => string,
  file: string,
): SortedItems {
  const published = new Set(
    items.filter((item) => item.status === 'publish' && hasAddress(item, pathOf)).map(({ kind }) => kind),
  )
  const isPage = ({ kind, status, isEmpty }: ItemOutline) =>
    !DISCARDED.test(status) && (isUsual(kind) || (!INTERNAL.test(kind) && published.has(kind) && !isEmpty))
  const shown = items.filter(isPage)
  const others = items.filter(({ kind }) => !isUsual(kind) && !INTERNAL.test(kind))
  const kinds = [...new Set(others.map(({ kind }) => kind))].map((kind) =>
    others.filter((item) => item.kind === kind),
  )
  return {
    shown,
    diagnostics: [
      ...discarded(items, file),
      ...kinds.flatMap((own) => [
        ...keptItems(own.filter(isPage), file),
        ...leftItems(
          own.filter((item) => !isPage(item)),
          published,
          file,
        ),
      ]),
      ...internal(
        items.filter(({ kind }) => INTERNAL.test(kind)),
        file,
      ),
    ],
  }
}

function isUsual(kind: string): boolean {
  return kind === 'post' || kind === 'page'
}

/** Items of kinds without pages have an address such as `/?post_type=form&p=12`. */
function hasAddress({ kind, link }: ItemOutline, pathOf: (address: string) => string): boolean {
  const path = pathOf(link)
  return path.startsWith('/') && (!path.includes('?') || path.startsWith(`/?${kind}=`))
}

function discarded(items: readonly ItemOutline[], file: string): readonly Diagnostic[] {
  const usual = items.filter(({ kind, status }) => isUsual(kind) && /^(?:trash|auto-draft)$/.test(status))
  const names = new Set(usual.map(nameWithStatus))
  return [...names].map((name) => {
    const own = usual.filter((item) => nameWithStatus(item) === name)
    return report(own, file, `${numberOf(own)} of the kind ${name} ${isOrAre(own)} left out.`)
  })
}

function nameWithStatus({ kind, status }: ItemOutline): string {
  return `\`${kind}\` with the status \`${status}\``
}

function keptItems(items: readonly ItemOutline[], file: string): readonly Diagnostic[] {
  const [first] = items
  if (first === undefined) return []
  const become = items.length === 1 ? 'becomes a page at its address' : 'become pages at their addresses'
  const message = `${numberOf(items)} of the kind \`${first.kind}\` ${become}. What a theme or a plugin shows around the text, such as prices and dates of events, is left out.`
  return [{ ...report(items, file, message), code: 'QN-PARTLY-CONVERTED' }]
}

function leftItems(
  items: readonly ItemOutline[],
  published: ReadonlySet<string>,
  file: string,
): readonly Diagnostic[] {
  const [first] = items
  if (first === undefined) return []
  const reason = published.has(first.kind)
    ? 'without a text, or in the trash'
    : 'the site has no pages of this kind'
  return [
    report(
      items,
      file,
      `${numberOf(items)} of the kind \`${first.kind}\` ${isOrAre(items)} left out: ${reason}.`,
    ),
  ]
}

function internal(items: readonly ItemOutline[], file: string): readonly Diagnostic[] {
  if (items.length === 0) return []
  const counts = new Map<string, number>()
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const named = [...counts].map(([kind, count]) => `${count} \`${kind}\``).join(', ')
  const blocks = counts.has('wp_block') ? ' Posts that include a `wp_block` have its text.' : ''
  return [report(items, file, `Items that are no pages are left out: ${named}.${blocks}`)]
}

function report(items: readonly ItemOutline[], file: string, message: string): Diagnostic {
  return diagnostic('QN-NOT-CONVERTED', file, message, { line: items[0]?.line ?? null })
}

function numberOf({ length }: readonly ItemOutline[]): string {
  return length === 1 ? '1 item' : `${length} items`
}

function isOrAre({ length }: readonly ItemOutline[]): string {
  return length === 1 ? 'is' : 'are'
}
