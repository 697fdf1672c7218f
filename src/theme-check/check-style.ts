import { gzipSync } from 'node:zlib'
import { transform } from 'lightningcss'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import type { ThemeAssets } from '../theme/theme.ts'
import { lineAt, type OwnFiles, withoutComments } from './own-files.ts'

/**
 * Maximum of compressed bytes of the style sheets that delay the first page of a visit. With the first limit, a visit
 * of a page of text stays below 30 KB; with the second, one of a page with sections below 45 KB.
 */
const MAX_BYTES = 13 * 1024
const MAX_BYTES_WITH_SECTIONS = 19 * 1024

/** Checks the theme's own style sheet: syntax, what it loads, and its compressed size. */
export function checkStyle(parts: ThemeParts, { manifest, style }: OwnFiles): readonly Diagnostic[] {
  const { path, text } = style ?? { path: manifest.path, text: '' }
  const error = (line: number, message: string) => diagnostic('QN-BAD-STYLE', path, message, { line })
  const own = withoutComments(text)
  const external = [...own.matchAll(/@import\b[^;]*|url\(\s*['"]?http:[^)]*\)/gi)]
  const withoutImports = own.replace(/@import\b[^;]*/gi, (rule) => rule.replace(/[^\n]/g, ' '))
  const unserved = withoutImports.matchAll(
    /url\(\s*['"]?(?!\s*['"]?(?:assets\/|[a-z][a-z\d+.-]*:|#|\/))[^)]*\)/gi,
  )
  return [
    ...syntaxErrors(text).map(({ line, message }) => error(line, message)),
    ...external.map((found) =>
      error(
        lineAt(text, found.index),
        found[0].startsWith('@')
          ? 'The content security policy blocks imported style sheets. Write the rules in this file.'
          : 'Fonts and images must be loaded over https.',
      ),
    ),
    ...[...unserved].map((found) =>
      error(
        lineAt(text, found.index),
        'No file is served at this URL. Put files of the theme in assets/ and write url(assets/…).',
      ),
    ),
    ...checkSize(parts.assets, path),
  ]
}

function checkSize({ style, sectionStyle }: ThemeAssets, path: string): readonly Diagnostic[] {
  const bytes = gzipSync(style.body).byteLength
  const excess = bytes - Math.min(MAX_BYTES, MAX_BYTES_WITH_SECTIONS - gzipSync(sectionStyle.body).byteLength)
  if (excess <= 0) return []
  const message = `The style sheet has ${bytes} bytes compressed, shared styles included. Keep it below ${bytes - excess} bytes for a fast first visit.`
  return [diagnostic('QN-LARGE-STYLE', path, message)]
}

function syntaxErrors(css: string): readonly { readonly line: number; readonly message: string }[] {
  try {
    const { warnings } = transform({ filename: 'style.css', code: Buffer.from(css), errorRecovery: true })
    return warnings.map(({ message, loc }) => ({ line: loc.line, message: `${message.replace(/\.$/, '')}.` }))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { line = 1 } = 'loc' in error ? (error.loc as { line?: number }) : {}
    return [{ line, message: `${error.message.replace(/\.$/, '')}.` }]
  }
}
