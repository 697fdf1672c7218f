import { createHash } from 'node:crypto'
import Router from '@koa/router'
import type { Context } from 'koa'
import { ServiceError } from '../domain/errors.ts'
import { parseIpRanges } from '../platform/ip-ranges.ts'
import type { OperatorStatus } from '../services/operating/operations.ts'
import { isDirectRequest } from './direct-request.ts'
import { escapeHtml } from './reference/inline-markdown.ts'

export interface StatusRoutePorts {
  readonly status: () => Promise<OperatorStatus>
}

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; width: 100% }
caption, th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top }
caption { font-weight: 600 }
td, th { border-top: 1px solid #8886 }`
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

const LOOPBACK = parseIpRanges(['127.0.0.0/8', '::1'])
const OWN_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * `/internal/status`: the state of the installation as a page, or as JSON. Only for requests that the operator makes on
 * this machine, e.g. through a tunnel: everyone else is answered that the route does not exist.
 */
export function statusRoutes({ status }: StatusRoutePorts): Router {
  const router = new Router()
  /** Requests at the same time share one reading. */
  let running: Promise<OperatorStatus> | null = null

  router.get('/internal/status', async (ctx) => {
    if (!isOfOperator(ctx)) throw new ServiceError('not_found', `${ctx.method} ${ctx.path} does not exist.`)
    running ??= status().finally(() => {
      running = null
    })
    const found = await running
    // Pages of other sites that the operator visits could read it.
    ctx.remove('Access-Control-Allow-Origin')
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
    })
    if (ctx.accepts('html', 'json') === 'html') {
      ctx.type = 'html'
      ctx.body = pageOf(found)
    } else ctx.body = found
  })

  return router
}

/** A request of this machine to itself, which no proxy passed on and no page of another site made. */
function isOfOperator(ctx: Context): boolean {
  const site = ctx.get('sec-fetch-site')
  return (
    isDirectRequest(ctx, LOOPBACK) &&
    OWN_NAME.test(ctx.host) &&
    (site === '' || site === 'none' || site === 'same-origin')
  )
}

function pageOf({
  version,
  node,
  role,
  database,
  uptimeSeconds,
  processes,
  counts,
  findings,
}: OperatorStatus): string {
  const { projects, pages, releases, webhooks, failures, queue } = counts
  const problems = findings.filter(({ level }) => level !== 'ok').length
  const title =
    problems === 0 ? 'Quoin works' : `Quoin: ${problems} ${problems === 1 ? 'warning' : 'warnings'}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${table(
  'What was found',
  ['Level', 'Check', 'Finding', 'What to do'],
  findings.map(({ level, check, message, remedy }) => [level, check, message, remedy ?? '']),
)}
${table('This process', null, [
  ['Quoin', version],
  ['Node.js', node],
  ['Role', role],
  ['Database', database],
  ['Runs for', `${Math.round(uptimeSeconds / 60)} minutes`],
])}
${table(
  'Processes',
  ['Role', 'Version'],
  processes.map((process) => [process.role ?? '', process.version ?? '']),
)}
${table('Contents', null, [
  ['Projects', `${projects.active} active, ${projects.archived} archived, ${projects.suspended} suspended`],
  ['Pages', `${pages.total}, ${pages.live} live`],
  ['Publishes', `${releases.waiting} in progress, ${releases.reverting} being reverted`],
  ['Webhooks', `${webhooks.active} active, ${webhooks.failing} failing, ${webhooks.off} disabled by Quoin`],
  [
    'Failures of 24 hours',
    `${failures.jobs} jobs, ${failures.deliveries} deliveries, ${failures.mails} mails`,
  ],
])}
${table(
  'Queue',
  ['Kind', 'Running', 'Due', 'Oldest due since', 'Scheduled'],
  queue.map(({ kind, running, due, dueSince, waiting }) => [
    kind,
    String(running),
    String(due),
    dueSince ?? '',
    String(waiting),
  ]),
)}
</html>
`
}

/** @param head names of the columns; null when the first column names the rows. */
function table(
  caption: string,
  head: readonly string[] | null,
  rows: readonly (readonly string[])[],
): string {
  const headRow =
    head === null ? '' : `<tr>${head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('')}</tr>`
  const bodyRows = rows.map((cells) => {
    const written = cells.map((cell, index) =>
      head === null && index === 0
        ? `<th scope="row">${escapeHtml(cell)}</th>`
        : `<td>${escapeHtml(cell)}</td>`,
    )
    return `<tr>${written.join('')}</tr>`
  })
  return `<table><caption>${escapeHtml(caption)}</caption>${headRow}${bodyRows.join('\n')}</table>`
}
