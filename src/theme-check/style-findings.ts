import { gzipSync } from 'node:zlib'
import { transform } from 'lightningcss'
import type { ThemeParts } from '../theme/create-theme.ts'
import type { Finding } from './finding.ts'
import { lineAt, type OwnFiles, withoutComments } from './own-files.ts'

/** Of the whole style sheet, compressed as it is sent: more than that holds up the first page a reader sees. */
const MAX_BYTES = 12 * 1024

/** What is no CSS in the theme's own style, what its pages may not load, and how much it has become. */
export function styleFindings(parts: ThemeParts, { manifest, style }: OwnFiles): readonly Finding[] {
  const bytes = gzipSync(parts.assets.style.body).byteLength
  const { path, text } = style ?? { path: manifest.path, text: '' }
  const told = (severity: Finding['severity'], line: number | null, message: string): Finding => ({
    ...{ severity, rule: 'style', file: path, line, message, on: null },
  })
  const own = withoutComments(text)
  const outside = [...own.matchAll(/@import\b[^;]*|url\(\s*['"]?http:[^)]*\)/gi)]
  const besides = own.replace(/@import\b[^;]*/gi, (rule) => rule.replace(/[^\n]/g, ' '))
  const nowhere = besides.matchAll(/url\(\s*['"]?(?!\s*['"]?(?:assets\/|[a-z][a-z\d+.-]*:|#|\/))[^)]*\)/gi)
  return [
    ...syntaxFaults(text).map(({ line, message }) => told('error', line, message)),
    ...outside.map((found) =>
      told(
        'error',
        lineAt(text, found.index),
        found[0].startsWith('@')
          ? 'The policy of pages loads no style that is imported; write it here.'
          : 'Fonts and pictures are loaded over https only.',
      ),
    ),
    ...[...nowhere].map((found) =>
      told(
        'error',
        lineAt(text, found.index),
        'Nothing is served there: a file of the theme lies in assets/, and is named url(assets/…).',
      ),
    ),
    ...(bytes <= MAX_BYTES
      ? []
      : [
          {
            ...told(
              'warning',
              null,
              `The style sheet comes to ${bytes} bytes compressed, the shared style included; at most ${MAX_BYTES} are good for a first visit.`,
            ),
            rule: 'size' as const,
          },
        ]),
  ]
}

function syntaxFaults(css: string): readonly { readonly line: number; readonly message: string }[] {
  try {
    const { warnings } = transform({ filename: 'style.css', code: Buffer.from(css), errorRecovery: true })
    return warnings.map(({ message, loc }) => ({ line: loc.line, message: `${message.replace(/\.$/, '')}.` }))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { line = 1 } = 'loc' in error ? (error.loc as { line?: number }) : {}
    return [{ line, message: `${error.message.replace(/\.$/, '')}.` }]
  }
}
