import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { listOf, textOf } from '../config/config-values.ts'
import { readToml, readYaml } from '../config/source-config.ts'
import type { SourceFiles, SourceSite, UnreadRedirect } from '../conversion.ts'

/** Files with the redirects of a host, at the top or in a folder of public files. */
const HOST_FILE =
  /^(?:(?:static|public|source|src|docs|assets|website|site|content|extra)\/){0,2}(_redirects|\.htaccess|vercel\.json|netlify\.toml)$/
const HOST_FILE_NAME = /(?:^|\/)(?:_redirects|\.htaccess|vercel\.json|netlify\.toml)$/

interface HostRedirect extends UnreadRedirect {
  /** Empty for a rewrite, and for one with a condition. */
  readonly to: string
}

/** Reports whether a file configures a host. Quoin writes such files itself. */
export function isHostFile(path: string): boolean {
  return HOST_FILE_NAME.test(path)
}

/**
 * The site with the redirects of Netlify, Cloudflare, Vercel and Apache that lead from one path to another. Patterns,
 * conditions and rewrites are reported. Redirects of the configuration win.
 */
export function withHostRedirects(site: SourceSite, files: SourceFiles): SourceSite {
  const found = files.paths.flatMap((file) => {
    const name = HOST_FILE.exec(file)?.[1]
    return name === undefined ? [] : (READERS[name]?.(files.text(file) ?? '', file) ?? [])
  })
  if (found.length === 0) return site
  const simple = found.filter(({ from, to }) => isPath(from) && to !== '')
  const others = found.filter((each) => !simple.includes(each))
  return {
    ...site,
    redirects: new Map([...simple.map(({ from, to }) => [from, to] as const), ...(site.redirects ?? [])]),
    places: new Map([
      ...simple.map(({ from, file, line }) => [from, { file, line }] as const),
      ...(site.places ?? []),
    ]),
    unreadRedirects: [...(site.unreadRedirects ?? []), ...others],
    diagnostics: [...site.diagnostics, ...others.map(leftOut)],
  }
}

function isPath(from: string): boolean {
  return from.startsWith('/') && !/[*:()?{}^$|\\]/.test(from)
}

function leftOut({ from, file, line }: HostRedirect): Diagnostic {
  return diagnostic(
    'QN-UNUSED-REDIRECT',
    file,
    `The redirect from ${from} is left out: it is a pattern, a rewrite or has a condition, and there are none.`,
    { line, field: 'redirects' },
  )
}

const READERS: Readonly<Record<string, (text: string, file: string) => readonly HostRedirect[]>> = {
  _redirects: readLines,
  '.htaccess': readApache,
  'vercel.json': (text, file) => listed(readYaml(text), file, text, ['source', 'destination']),
  'netlify.toml': (text, file) => listed(readToml(text), file, text, ['from', 'to']),
}

/** Source: https://docs.netlify.com/routing/redirects/. A target of another status than that of a redirect is empty. */
function readLines(text: string, file: string): readonly HostRedirect[] {
  return text.split(/\r?\n/).flatMap((written, index): HostRedirect[] => {
    const [from, to, status = '301', ...conditions] = written
      .replace(/(^|\s)#.*$/, '')
      .trim()
      .split(/\s+/)
    if (from === undefined || from === '' || to === undefined) return []
    const isRedirect = /^30[1278]!?$/.test(status) && conditions.length === 0
    return [{ from, to: isRedirect ? to : '', file, line: index + 1 }]
  })
}

/** Source: https://httpd.apache.org/docs/current/mod/mod_alias.html. */
const ALIAS =
  /^\s*Redirect(?:Permanent)?\s+(?:(?:30[1278]|permanent|temp)\s+)?"?(\/[^\s"]*)"?\s+"?([^\s"]+)"?\s*$/i
const RULE = /^\s*Rewrite(?:Rule)\s+\^?\/?([^\s^]+?)\/?\??\$?\s+(\S+)\s+\[[^\]]*\bR\b[^\]]*\]\s*$/i
const OTHER = /^\s*(?:RedirectMatch|RewriteRule|Redirect)\s+(?:(?:\d{3}|permanent|temp)\s+)?(\S+)/i

function readApache(text: string, file: string): readonly HostRedirect[] {
  let hasCondition = false
  return text.split(/\r?\n/).flatMap((written, index): HostRedirect[] => {
    if (/^\s*RewriteCond\b/i.test(written)) {
      hasCondition = true
      return []
    }
    const line = index + 1
    const alias = ALIAS.exec(written)
    if (alias !== null) return [{ from: alias[1] ?? '', to: alias[2] ?? '', file, line }]
    const [, rule, to = ''] = RULE.exec(written) ?? []
    const isRule = rule !== undefined && !hasCondition && !/[[\]().*+|$\\]/.test(rule) && !/[$%]\d/.test(to)
    if (/^\s*RewriteRule\b/i.test(written)) hasCondition = false
    if (isRule) return [{ from: `/${rule}`, to, file, line }]
    const other = OTHER.exec(written)?.[1]
    return other === undefined || other === '-' ? [] : [{ from: other, to: '', file, line }]
  })
}

/** Redirects of a list in a configuration. Those with a condition, and rewrites, have no target here. */
function listed(
  read: ReturnType<typeof readYaml>,
  file: string,
  text: string,
  [source, target]: readonly [string, string],
): readonly HostRedirect[] {
  if (typeof read === 'string') return []
  const lines = text.split('\n')
  let last = -1
  return listOf(read['redirects']).flatMap((given): HostRedirect[] => {
    const [from, to] = [textOf(given[source]), textOf(given[target])]
    if (from === undefined || to === undefined) return []
    const isRewrite = given['status'] === 200 || given['status'] === 404
    const isBound =
      given['has'] !== undefined || given['missing'] !== undefined || given['conditions'] !== undefined
    const index = lines.findIndex((line, at) => at > last && line.includes(`"${from}"`))
    last = Math.max(last, index)
    return [{ from, to: isRewrite || isBound ? '' : to, file, line: index === -1 ? null : index + 1 }]
  })
}
