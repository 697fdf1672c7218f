import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
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
  /** The live editor as one file, which the build of the package writes. */
  readonly bundle: string
}

export type ScriptName = 'editor' | 'passkeys'

export interface StaticFiles {
  /** Paths that contain a digest, so that browsers keep the files. */
  readonly hrefs: {
    readonly style: string
    readonly icon: string
    readonly passkeys: string
    /** Null where the package was not built: pages are then written without it. */
    readonly editor: string | null
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
  bundle,
}: DashboardFolders): Promise<StaticFiles> {
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
    named('passkeys', 'js', SCRIPT_TYPE, readFileSync(join(templates, 'scripts/passkeys.js'), 'utf8')),
    ...(existsSync(bundle) ? [named('editor', 'js', SCRIPT_TYPE, readFileSync(bundle, 'utf8'))] : []),
  ])
  const [styleName = '', iconName = '', passkeysName = '', editorName] = files.keys()

  return {
    hrefs: {
      style: `/dashboard/_files/${styleName}`,
      icon: `/dashboard/_files/${iconName}`,
      passkeys: `/dashboard/_files/${passkeysName}`,
      editor: editorName === undefined ? null : `/dashboard/_files/${editorName}`,
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
