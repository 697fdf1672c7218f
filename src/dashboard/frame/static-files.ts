import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Context } from 'koa'
import { compactCss } from '../../theme/compact-css.ts'
import { readThemeManifest, resolvedManifest, tokenStyle } from '../../theme/theme-manifest.ts'

/** Folders of the templates of the dashboard and of the themes. */
export interface DashboardFolders {
  readonly templates: string
  /** The folder of the built-in themes. */
  readonly themes: string
  /** The folder of files that all themes share. */
  readonly shared: string
  /** The folder to which the build of the package writes scripts of several modules, each as one file. */
  readonly bundles: string
}

/** Scripts of one file, sent unchanged. */
const PLAIN = ['passkeys', 'job', 'focus', 'media'] as const
/** Scripts that the build of the package bundles. */
const BUNDLED = ['editor', 'preview', 'rows'] as const

export type ScriptName = (typeof PLAIN)[number] | (typeof BUNDLED)[number]

export interface StaticFiles {
  /** Paths with a digest, so that browsers cache the files. */
  readonly hrefs: {
    readonly style: string
    readonly icon: string
    /** Returns the path of a script; null if the package was not built: pages then have no scripts. */
    readonly script: (name: ScriptName) => string | null
  }
  /** Answers with the file of a name; false when there is none. */
  serve(ctx: Context, name: string): boolean
}

interface StaticFile {
  readonly type: string
  readonly body: Buffer
  readonly gzip: Buffer
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const FOREVER = 'public, max-age=31536000, immutable'

/** The style sheet, in the tokens of the default theme, the icon and the scripts. */
export async function openStaticFiles({
  templates,
  themes,
  shared,
  bundles,
}: DashboardFolders): Promise<StaticFiles> {
  const theme = resolvedManifest(await readThemeManifest(join(themes, 'default')), null)
  const style = compactCss(
    [
      tokenStyle(theme),
      readFileSync(join(shared, 'styles/1-foundation.css'), 'utf8'),
      readFileSync(join(templates, 'style.css'), 'utf8'),
      readFileSync(join(templates, 'writing.css'), 'utf8'),
      readFileSync(join(templates, 'writing-text.css'), 'utf8'),
    ].join('\n'),
  )
  const files = new Map<string, StaticFile>([
    named('style', 'css', 'text/css; charset=utf-8', style),
    named('icon', 'svg', 'image/svg+xml', readFileSync(join(templates, 'icon.svg'), 'utf8')),
    ...PLAIN.map((name) =>
      named(name, 'js', SCRIPT_TYPE, readFileSync(join(templates, `scripts/${name}.js`), 'utf8')),
    ),
    ...BUNDLED.flatMap((name) => {
      const file = join(bundles, `dashboard-${name}.js`)
      return existsSync(file) ? [named(name, 'js', SCRIPT_TYPE, readFileSync(file, 'utf8'))] : []
    }),
  ])
  const hrefs = new Map([...files.keys()].map((name) => [name.split('.')[0], `/dashboard/_files/${name}`]))

  return {
    hrefs: {
      style: hrefs.get('style') ?? '',
      icon: hrefs.get('icon') ?? '',
      script: (name) => hrefs.get(name) ?? null,
    },

    serve(ctx, name) {
      const file = files.get(name)
      if (file === undefined) return false
      ctx.set('Cache-Control', FOREVER)
      ctx.type = file.type
      ctx.vary('Accept-Encoding')
      const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
      if (isGzip) ctx.set('Content-Encoding', 'gzip')
      ctx.body = isGzip ? file.gzip : file.body
      return true
    },
  }
}

function named(name: string, extension: string, type: string, text: string): [string, StaticFile] {
  const body = Buffer.from(text)
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return [`${name}.${digest}.${extension}`, { type, body, gzip: gzipSync(body, { level: 9 }) }]
}
