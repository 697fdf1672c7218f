import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { translated } from '../../src/dashboard/frame/translated.ts'
import { languageOf } from '../../src/dashboard/words/languages.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { type DashboardClient, signedIn, visitor } from '../support/dashboard.ts'
import { dashboardRoutes } from '../support/dashboard-routes.ts'
import { finishedJob } from '../support/finished-job.ts'
import { flatPng } from '../support/pictures.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const GERMAN = { 'Accept-Language': 'de' }
/** Words that English sentences have and German ones do not. */
const ENGLISH =
  /\b(?:the|is|are|has|have|been|not|and|of|with|this|these|from|be|by|your|you|that|it|must|cannot|could|which|because|another|before)\b/i

describe('the dashboard in German', () => {
  let service: TestService
  let owner: DashboardClient
  let project: string
  /** Values of the parameters of routes. */
  const given: Record<string, readonly string[]> = {}

  beforeAll(async () => {
    service = await startService()
    owner = await signedIn(service)
    project = await service.newProject('Bäckerei')
    const at = `/dashboard/projects/${project}`
    const newPage = async (title: string, slug: string, markdown: string, more = {}) =>
      (
        await service.call(
          'POST',
          '/pages',
          pageBody(project, { title, slug, markdown_content: markdown, ...more }),
        )
      ).body.data.id
    const faulty = await newPage(
      'Brot',
      'brot',
      [
        '# Brot',
        '[Kuchen](/kuchen) ![Laib](/media/laib.png) [Ort](/brot#ofen) [x](javascript:alert(1))',
        '<blink onclick="a">Frisch</blink> <div class="position-fixed">',
        ':::kasten\nOffen',
        '!!! hinweis\n    Achtung',
        '[[Wiki]] {% include a %} $\\frac{$',
        '::youtube[?]',
        '```unbekannt\nx\n```',
      ].join('\n\n'),
    )
    await service.call('POST', `/pages/${faulty}/publish`)
    await service.call('PUT', `/pages/${faulty}`, { slug: 'laib' })
    const blocked = await newPage('Zopf', 'brot', '# Zopf\n\n[Weg](/fehlt)')
    const sections = await newPage('Start', 'start', '', {
      type: 'page',
      config: { sections: [{ type: 'hero', titel: 'A', icon: 'nichts' }, { type: 'unbekannt' }] },
    })
    const started = await owner.post(`${at}/pages/publish`, [
      ['page', blocked],
      ['page', sections],
    ])
    const job = started.location?.split('/').at(-1) ?? ''
    expect((await finishedJob(service, job)).failed).toHaveLength(1)
    await service.call('POST', `/pages/${blocked}/publish`)
    const { location } = await owner.upload(`${at}/media`, 'laib-1.png', flatPng(8, 6), { alt: 'Ein Laib' })
    const hook = await service.call('POST', `/projects/${project}/webhooks`, {
      url: 'https://haken.invalid',
      description: 'Haken',
    })
    const webhook = `${at}/webhooks/${hook.body.data.id}`
    await owner.post(`${webhook}/test`)
    await vi.waitFor(
      async () => expect((await owner.get(webhook, GERMAN)).html).toContain('<ol class="tries"><li>'),
      { timeout: 30_000, interval: 100 },
    )
    await service.call('PUT', `/projects/${project}`, { hosting: { custom_domain: 'www.example.org' } })
    await owner.post(`${at}/members`, { email: 'ada@example.com', role: 'editor' })
    await owner.post(`${at}/pages/${faulty}/propose`, { note: 'Bitte ansehen' })
    Object.assign(given, {
      project: [project],
      page: [faulty, blocked, sections],
      job: [job],
      asset: [(location ?? '').split('?')[0]?.split('/').at(-1) ?? ''],
      webhook: [hook.body.data.id],
    })
  }, 60_000)
  afterAll(() => service?.close())

  test('has no English sentence in any view, with warnings, failures and deliveries in them', async () => {
    const paths = (await dashboardRoutes())
      .filter(({ method, path }) => method === 'GET' && !/\/(document|content|preview\/frame)$/.test(path))
      .flatMap(({ path }) => filled(path))
    expect(paths.length).toBeGreaterThan(40)
    const english: (readonly [string, readonly string[]])[] = []
    for (const path of [...paths, '/dashboard/no-such']) {
      const { headers, html } = await owner.get(path, GERMAN)
      if (!(headers.get('content-type') ?? '').startsWith('text/html')) continue
      if (headers.get('content-security-policy')?.includes('sandbox')) continue
      const found = sentencesOf(html).filter((text) => ENGLISH.test(text))
      if (found.length > 0) english.push([path, found])
    }
    expect(english).toEqual([])
  })

  test('has none for visitors who are not signed in', async () => {
    for (const path of ['sign-in', 'set-up?token=x', 'forgotten', 'email?token=x']) {
      const { html } = await visitor(service).get(`/dashboard/${path}`, GERMAN)
      expect([path, sentencesOf(html).filter((text) => ENGLISH.test(text))]).toEqual([path, []])
    }
  })

  /** A path for each value of its parameters. */
  function filled(path: string): readonly string[] {
    const [, name] = /:(\w+)/.exec(path) ?? []
    if (name === undefined) return [path]
    return (given[name] ?? []).flatMap((value) => filled(path.replace(`:${name}`, value)))
  }
})

/** Texts of a page, without code, addresses and what a person wrote. */
function sentencesOf(html: string): readonly string[] {
  return html
    .replaceAll(/<(code|pre|script|style|textarea|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]* (?:placeholder|aria-label|title|alt)="([^"]*)"[^>]*>/g, '\n$1\n')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/https?:\S+|\S+@\S+|`[^`]*`/g, ' ')
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => / /.test(text))
}

/** Where messages are written that the dashboard shows. */
const SOURCES = [
  'src/custom-domains',
  'src/db/ledger',
  'src/domain/account-limits.ts',
  'src/images',
  'src/publish/pipeline',
  'src/publish/queue',
  'src/render/markdown',
  'src/render/page',
  'src/render/sections',
  'src/renderer',
  'src/sections',
  'src/services/accounts',
  'src/services/jobs',
  'src/services/members',
  'src/services/pages',
  'src/services/publishing',
  'src/services/reviews',
  'src/services/webhooks',
  'src/webhooks',
]
/** Errors of the program, and messages to programs with a key or to operators. */
const ELSEWHERE =
  /^src\/(?:services\/(?:accounts\/(?:accounts|account-limits|authentication|session-caller)|webhooks\/write-batcher|pages\/bulk-pages)|publish\/queue\/lease-holder|sections\/(?:json-schema|prop-schema)|render\/page\/content-policy)\.ts$/
const TO_PROGRAMS =
  /^(?:This key |No (?:key|user|project) has this id|A key that is scoped|Release \{\} goes on|The database could not take the change within \{\} s, because other|You have no such|(?:The project of )?[Tt]his preview link|\{\} \{\}\.$)/

test('every message that a service writes for people has a German phrase', () => {
  const german = languageOf('de', '')
  const messages = SOURCES.flatMap(filesIn)
    .filter((file) => !ELSEWHERE.test(file))
    .flatMap(messagesIn)
  expect(messages.length).toBeGreaterThan(100)
  const missing = messages.filter(({ text }) => {
    const message = text.replaceAll('{}', 'x')
    return !TO_PROGRAMS.test(text) && translated(message, { words: german }) === message
  })
  expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

function filesIn(path: string): readonly string[] {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(PACKAGE_ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${path}/${name}`)
}

/** Sentences in a file that end in an error for people or in a field `message`; `{}` stands for their values. */
function messagesIn(file: string): readonly { readonly file: string; readonly text: string }[] {
  const found: { file: string; text: string }[] = []
  const walk = (node: unknown, isMessage: boolean): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, isMessage)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, value, quasis, callee, key, id } = node as Readonly<Record<string, never>> & Syntax
    const text =
      type === 'Literal' && typeof value === 'string'
        ? value
        : type === 'TemplateLiteral'
          ? quasis.map(({ value: { cooked } }) => cooked).join('{}')
          : null
    if (text !== null && isMessage && /\S \S.*\.$/s.test(text)) found.push({ file, text })
    const starts =
      (type === 'NewExpression' &&
        /^(?:\w*ServiceError|UnavailableError|TargetRefused)$/.test(callee.name ?? '')) ||
      (type === 'CallExpression' &&
        /^(?:badImage|addError|addWarning|fileFailure)$/.test(callee.name ?? '')) ||
      (type === 'Property' && key.name === 'message') ||
      (type === 'VariableDeclarator' && id.name === 'message')
    for (const child of Object.values(node)) walk(child, isMessage || starts)
  }
  walk(parseSync(file, readFileSync(join(PACKAGE_ROOT, file), 'utf8')).program, false)
  return found
}

/** What is read of the syntax tree. */
interface Syntax {
  readonly type: string
  readonly value: unknown
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[]
  readonly callee: { readonly name?: string }
  readonly key: { readonly name?: string }
  readonly id: { readonly name?: string }
}
