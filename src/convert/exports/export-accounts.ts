import { type Account, accountOf, type Fate, REDIRECT } from '../comparison/accounts.ts'
import { type NewSite, plainAddress } from '../comparison/new-site.ts'
import type { Published } from '../comparison/published.ts'
import { readYaml } from '../config/source-config.ts'
import { type ListedArticle, listedAddresses } from '../links/listed-addresses.ts'
import type { ExportedSite } from './exported-site.ts'
import type { Sums } from './page-tally.ts'
import type { SiteLinks } from './site-links.ts'

interface Outcome {
  readonly articles: readonly ListedArticle[]
  readonly found: NewSite
  readonly sums: Pick<Sums, 'headings' | 'lostHeadings'>
  readonly links: SiteLinks
  readonly textOf: (path: string) => string | null
}

const KINDS = { feed: 'Feeds', list: 'Lists of terms', page: 'Other lists' } as const

/** Follows each thing that the source site publishes into the new folder. Empty kinds are left out. */
export function exportAccounts(
  site: ExportedSite,
  { articles, found, sums, links, textOf }: Outcome,
): readonly Account[] {
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
  const atAddress = ({ name }: Published): Fate => {
    const address = plainAddress(name)
    if (found.addresses.has(address)) return 'kept'
    const to = redirects.get(address)
    const isRedirected = to === undefined ? found.redirects.has(address) : leadsSomewhere(to)
    return isRedirected ? REDIRECT : 'lost'
  }
  const shown = site.outlines.filter(({ hidden }) => hidden === undefined)
  const front = shown.some(({ address }) => address === '/')
  const listed = listedAddresses(site, articles)
  const uploads = new Set([...site.uploads, ...links.remote.keys(), ...links.copied])
  const kinds: readonly (readonly [Published['kind'], readonly Published[], (each: Published) => Fate])[] = [
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
      ({ name }) => (found.labels.has(name) ? 'kept' : 'lost'),
    ],
    [
      'Redirects',
      [...site.redirects.keys()].map((from) => item('Redirects', from)),
      (each) => (atAddress(each) === 'lost' ? 'lost' : 'kept'),
    ],
    [
      'Files',
      [...uploads].map((path) => item('Files', path)),
      ({ name }) => {
        if (links.copied.has(name)) return 'kept'
        return (links.remote.get(name) ?? null) !== null ? { changed: 'on the source site' } : 'lost'
      },
    ],
  ]
  const accounts = kinds.flatMap(([kind, all, fateOf]): Account[] =>
    all.length === 0 ? [] : [accountOf(kind, all, fateOf)],
  )
  const headings: Account = {
    kind: 'Headings',
    total: sums.headings.total,
    changed: new Map(),
    lost: sums.lostHeadings.map(({ name, line }) => item('Headings', name, line)),
  }
  return headings.total === 0 ? accounts : [headings, ...accounts]
}

/** The targets of redirects that lead to something of the new site or to another site, by their paths. */
function readRedirects(textOf: (path: string) => string | null): ReadonlyMap<string, string> {
  const read = readYaml(textOf('redirects.yaml') ?? '')
  const lines = typeof read === 'string' ? [] : Object.entries(read)
  return new Map(lines.map(([from, to]) => [plainAddress(from), String(to)]))
}
