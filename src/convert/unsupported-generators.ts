import type { SourceFiles } from './conversion.ts'
import { isPackedPart } from './notion/export-names.ts'

/** A generator whose sites are not read. */
export interface UnsupportedGenerator {
  readonly title: string
  /** Advice on what works instead, as a sentence. */
  readonly advice: string
}

const RECOGNISED_BY: readonly (UnsupportedGenerator & { readonly isIn: (files: SourceFiles) => boolean })[] =
  [
    {
      title: 'Zola',
      advice:
        'Convert its folder `content` with --from markdown: it keeps pages and dates, but no taxonomies, shortcodes and links with @/.',
      isIn: isZola,
    },
    {
      title: 'Fumadocs',
      advice:
        'Its MDX is close to that of Nextra: --from nextra keeps pages, callouts, cards, tabs and steps.',
      isIn: (files) =>
        files.paths.some((path) => /^source\.config\.[jt]s$/.test(path)) || dependsOn(files, 'fumadocs-'),
    },
    {
      title: 'Gatsby',
      advice:
        'Its pages are programs. Convert the folder of its Markdown, which gatsby-source-filesystem names, with --from markdown.',
      isIn: (files) =>
        files.paths.some((path) => /^gatsby-config\.(?:m|c)?[jt]s$/.test(path)) || dependsOn(files, 'gatsby'),
    },
    {
      title: 'Sphinx',
      advice:
        'reStructuredText is not read. Write it as Markdown first, for example with pandoc, then use --from markdown.',
      isIn: ({ paths }) =>
        paths.some((path) => /(^|\/)conf\.py$/.test(path)) && paths.some((path) => path.endsWith('.rst')),
    },
    {
      title: 'Notion',
      advice:
        'Its HTML says less than its Markdown: export the pages again in Notion, in the format Markdown & CSV.',
      isIn: ({ paths }) => paths.some((path) => /[ -][0-9a-f]{32}\.html$/.test(path)),
    },
    {
      title: 'Notion',
      advice: 'Its parts are packed. Unpack the archives in the folder, and convert again.',
      isIn: ({ paths }) => paths.some(isPackedPart),
    },
  ]

/** The generator of these files, if it is an unsupported one. */
export function unsupportedGenerator(files: SourceFiles): UnsupportedGenerator | null {
  return RECOGNISED_BY.find(({ isIn }) => isIn(files)) ?? null
}

/** Zola has a file of the same name as older sites of Hugo, which write `baseURL`. */
export function isZola(files: SourceFiles): boolean {
  return ['config.toml', 'zola.toml'].some((path) => /^\s*base_url\s*=/m.test(files.text(path) ?? ''))
}

/** Reports whether `package.json` names a package whose name begins so. */
function dependsOn(files: SourceFiles, name: string): boolean {
  const text = files.text('package.json') ?? ''
  const end = name.endsWith('-') ? '' : '"'
  return text.includes(`"${name}${end}`)
}
