import type { Account } from '../comparison/accounts.ts'
import type { Kept } from '../comparison/compare.ts'
import { plainAddress, readNewSite } from '../comparison/new-site.ts'
import type { Published } from '../comparison/published.ts'
import { readYaml } from '../config/source-config.ts'
import { type ListedArticle, listedAddresses } from '../links/listed-addresses.ts'
import type { ExportedSite } from './exported-site.ts'
import type { SiteLinks } from './site-links.ts'

/** Sums over all compared pages. */
export interface Sums {
  readonly words: { total: number; missing: number }
  readonly links: { total: number; missing: number }
  readonly pictures: { total: number; missing: number }
  readonly codeBlocks: { total: number; missing: number }
  readonly headings: { total: number; missing: number }
  readonly lostHeadings: { readonly name: string; readonly line: number | null }[]
}

interface Outcome {
  readonly articles: readonly ListedArticle[]
  /** The pages of the new folder. */
  readonly files: readonly string[]
  readonly sums: { readonly headings: Kept; readonly lostHeadings: Sums['lostHeadings'] }
  readonly links: SiteLinks
  readonly textOf: (path: string) => string | null
}

const REDIRECT = 'by a redirect'
const KINDS = { feed: 'Feeds', list: 'Lists of terms', page: 'Other lists' } as const

/** Follows each thing that the source site publishes into the new folder. Empty kinds are left out. */
export function exportAccounts(
  site: ExportedSite,
  { articles, files, sums, links, textOf }: Outcome,
): readonly Account[] {
  const found = readNewSite([...files, ...(textOf('index.md') === null ? [] : ['index.md'])], textOf)
  const item = (kind: Published['kind'], name: string, line: number | null = null): Published => ({
    kind,
    name,
    file: site.file,
    line,
  })
  const redirects = readRedirects(textOf)
  /** A redirect to a page that is not there keeps nothing. */
  const leadsSomewhere = (to: string) =>
    !to.startsWith('/') || to === '/' || found.addresses.has(plainAddress(to.replace(/#.*$/, '')))
  const atAddress = ({ name }: Published) => {
    const address = plainAddress(name)
    if (found.addresses.has(address)) return 'kept'
    const to = redirects.get(address)
    return to === undefined
      ? found.redirects.has(address)
        ? REDIRECT
        : null
      : leadsSomewhere(to)
        ? REDIRECT
        : null
  }
  const shown = site.outlines.filter(({ hidden }) => hidden === undefined)
  const front = shown.some(({ address }) => address === '/')
  const listed = listedAddresses(site, articles)
  const uploads = new Set([...site.uploads, ...links.remote, ...links.copied])
  const kinds: readonly (readonly [
    Published['kind'],
    readonly Published[],
    (each: Published) => string | null,
  ])[] = [
    [
      'Addresses',
      shown
        .filter(({ address }) => address !== '/')
        .map(({ address, line }) => item('Addresses', address, line)),
      atAddress,
    ],
    ['Front page', front || articles.length > 0 ? [item('Front page', '/')] : [], atAddress],
    ...(['feed', 'list', 'page'] as const).map(
      (kind) =>
        [
          KINDS[kind],
          listed.filter((each) => each.kind === kind).map(({ from }) => item(KINDS[kind], from)),
          atAddress,
        ] as const,
    ),
    [
      'Menu entries',
      site.menus.map((label) => item('Menu entries', label)),
      ({ name }) => (found.labels.has(name) ? 'kept' : null),
    ],
    [
      'Redirects',
      [...site.redirects.keys()].map((from) => item('Redirects', from)),
      (each) => (atAddress(each) === null ? null : 'kept'),
    ],
    [
      'Files',
      [...uploads].map((path) => item('Files', path)),
      ({ name }) =>
        links.copied.has(name)
          ? 'kept'
          : links.remote.has(name) && site.url !== null
            ? 'on the source site'
            : null,
    ],
  ]
  const accounts = kinds.flatMap(([kind, all, fateOf]): Account[] =>
    all.length === 0 ? [] : [account(kind, all, fateOf)],
  )
  const headings: Account = {
    kind: 'Headings',
    total: sums.headings.total,
    changed: new Map(),
    lost: sums.lostHeadings.map(({ name, line }) => item('Headings', name, line)),
  }
  return headings.total === 0 ? accounts : [headings, ...accounts]
}

function account(
  kind: Published['kind'],
  all: readonly Published[],
  fateOf: (each: Published) => string | null,
): Account {
  const changed = new Map<string, number>()
  const lost: Published[] = []
  for (const each of all) {
    const fate = fateOf(each)
    if (fate === null) lost.push(each)
    else if (fate !== 'kept') changed.set(fate, (changed.get(fate) ?? 0) + 1)
  }
  return { kind, total: all.length, changed, lost }
}

/** The targets of redirects that lead to something of the new site or to another site, by their paths. */
function readRedirects(textOf: (path: string) => string | null): ReadonlyMap<string, string> {
  const read = readYaml(textOf('redirects.yaml') ?? '')
  const lines = typeof read === 'string' ? [] : Object.entries(read)
  return new Map(lines.map(([from, to]) => [plainAddress(from), String(to)]))
}
