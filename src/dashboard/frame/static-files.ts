import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Context } from 'koa'
import { compactCss } from '../../theme/compact-css.ts'
import { readThemeManifest, resolvedManifest, tokenStyle } from '../../theme/theme-manifest.ts'

/** Where the templates of the dashboard and the themes are. */
export interface DashboardFolders {
  readonly templates: string
  /** The folder of the built-in themes. */
  readonly themes: string
  /** What all themes share. */
  readonly shared: string
}

export interface StaticFiles {
  /** Paths that contain a digest, so that browsers keep the files. */
  readonly hrefs: { readonly style: string; readonly icon: string }
  /** Answers with the file of a name; false when there is none. */
  serve(ctx: Context, name: string): boolean
}

interface StaticFile {
  readonly type: string
  readonly body: Buffer
  readonly gzip: Buffer
}

const FOREVER = 'public, max-age=31536000, immutable'

/** The style sheet, in the tokens of the default theme, and the icon. */
export async function openStaticFiles({ templates, themes, shared }: DashboardFolders): Promise<StaticFiles> {
  const theme = resolvedManifest(await readThemeManifest(join(themes, 'default')), null)
  const style = compactCss(
    [
      tokenStyle(theme),
      readFileSync(join(shared, 'styles/1-foundation.css'), 'utf8'),
      readFileSync(join(templates, 'style.css'), 'utf8'),
    ].join('\n'),
  )
  const files = new Map<string, StaticFile>([
    named('style', 'css', 'text/css; charset=utf-8', style),
    named('icon', 'svg', 'image/svg+xml', readFileSync(join(templates, 'icon.svg'), 'utf8')),
  ])
  const [styleName = '', iconName = ''] = files.keys()

  return {
    hrefs: { style: `/dashboard/_files/${styleName}`, icon: `/dashboard/_files/${iconName}` },

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
