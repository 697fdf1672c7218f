// How long single requests that are crafted to be costly hold the main thread of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { folder, root } from './quoin.mjs'

const probe = `${root}test/support/stall-probe.mjs`
const RUNS = Number(process.env.RUNS ?? 3)

export async function benchStalls() {
  const service = await startProbed()
  const only = process.argv[3]
  const rows = []
  for (const [name, make] of await attacksOn(service)) {
    try {
      if (only !== undefined && !new RegExp(only).test(name)) continue
      const worst = { cpuMs: 0, wallMs: 0 }
      let status = 0
      let message = ''
      for (let run = 0; run < RUNS; run++) {
        const { method, path, body, headers = {}, prepare } = await make(run)
        await prepare?.()
        await after(50)
        await service.longest()
        const response = await fetch(service.url + path, {
          method,
          headers: { ...service.headers, ...headers },
          body,
        })
        const text = await response.text()
        await after(20)
        const { cpuMs, wallMs } = await service.longest()
        worst.cpuMs = Math.max(worst.cpuMs, cpuMs)
        worst.wallMs = Math.max(worst.wallMs, wallMs)
        status = response.status
        message = status >= 400 ? text.slice(0, 110) : ''
      }
      rows.push({ name, status, ...worst })
      console.log(
        `${name.padEnd(58)} ${status} ${worst.cpuMs.toFixed(0).padStart(6)} ms CPU ${worst.wallMs.toFixed(0).padStart(6)} ms  ${message}`,
      )
    } catch (error) {
      console.log(name, error.message)
    }
  }
  return rows
}

async function startProbed() {
  const cli = `${root}dist/cli.js`
  const child = spawn(
    process.execPath,
    ['--import', probe, cli, 'serve', '--data', folder, '--port', '0', '--allow-http', 'true'],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  process.on('exit', () => child.kill('SIGKILL'))
  const url = await new Promise((resolve) =>
    child.stdout.on('data', (text) => {
      const [, address] = /ready at (\S+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    }),
  )
  const keys = spawn(process.execPath, [
    cli,
    ...['keys', 'create', '--data', folder, '--name', 'bench', '--plan', 'enterprise', '--json'],
  ])
  let text = ''
  for await (const chunk of keys.stdout) text += chunk
  const headers = { authorization: `Bearer ${JSON.parse(text).key}`, 'content-type': 'application/json' }
  const call = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} returned ${JSON.stringify(answer).slice(0, 500)}`)
    return answer.data
  }
  const longest = async () => {
    child.send('read')
    const [answer] = await once(child, 'message')
    return answer
  }
  return { url, headers, call, longest }
}

async function attacksOn({ call }) {
  const { id: project } = await call('POST', '/projects', { name: 'Attacker' })
  let pages = 0
  const newPage = (fields = {}) =>
    call('POST', '/pages', {
      project_id: project,
      title: 'A',
      slug: `p-${++pages}`,
      subroute: '',
      type: 'article',
      ...fields,
    })
  const page = (await newPage()).id
  const sectionsPage = (await newPage({ type: 'page' })).id
  const keys = (n, value = '0') => `{${Array.from({ length: n }, (_, i) => `"a${i}":${value}`).join(',')}}`
  const list = (n, item) => `[${Array(n).fill(item).join(',')}]`
  const put = (path, body) => () => ({ method: 'PUT', path, body })
  const post = (path, body) => () => ({ method: 'POST', path, body })
  const create = (fields) =>
    post(
      '/pages',
      `{"project_id":"${project}","title":"A","subroute":"","slug":"x-","type":"article",${fields}}`,
    )
  const MIB5 = 5 * 2 ** 20 - 1000
  const fill = (unit, bytes = MIB5) =>
    unit.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))))
  const update = (fields) => put(`/pages/${page}`, JSON.stringify(fields))
  const markdownOf = (fields) => async () => {
    const { id } = await newPage(fields)
    return { method: 'GET', path: `/pages/${id}?format=markdown` }
  }
  const jsonOf = (fields) => async () => {
    const { id } = await newPage(fields)
    return { method: 'GET', path: `/pages/${id}` }
  }
  const publishOf =
    (fields, query = '') =>
    async () => {
      const { id } = await newPage(fields)
      return { method: 'POST', path: `/pages/${id}/publish${query}` }
    }
  const previewOf = (fields) => async () => {
    const { id } = await newPage(fields)
    return { method: 'GET', path: `/render/${id}` }
  }
  const sections = (n, section) => ({ sections: Array.from({ length: n }, () => section) })
  const heroes = sections(200, { type: 'hero', props: { title: 'A title', subtitle: fill('word ', 2_300) } })
  const markdownSections = sections(200, {
    type: 'markdown',
    props: { content: fill('A **text** with [a](/b). ', 2_300) },
  })
  const faq = {
    sections: [
      {
        type: 'faq',
        props: { items: Array.from({ length: 11_000 }, () => ({ question: 'Why?', answer: 'Because.' })) },
      },
    ],
  }
  const wide = Object.fromEntries(Array.from({ length: 9_900 }, (_, i) => [`key${i}`, 'a value']))
  const yamlOf = (text) => `---\n${text}\n---\nBody\n`
  const yamls = {
    keys: fill('a: 1\n', 10).slice(0, 0) + Array.from({ length: 5_000 }, (_, i) => `k${i}: ${i}`).join('\n'),
    'short keys': Array.from({ length: 10_500 }, (_, i) => `${i.toString(36)}:`).join('\n'),
    'list of dashes': `a:\n${'-\n'.repeat(30_000)}`,
    'flow list': `a: [${'1,'.repeat(30_000)}]`,
    'flow list of flow lists': `a: [${'[],'.repeat(20_000)}]`,
    'flow maps': `a: [${'{},'.repeat(20_000)}]`,
    comments: '#\n'.repeat(30_000),
    documents: '---x\n'.repeat(12_000),
    anchors: Array.from({ length: 5_000 }, (_, i) => `k${i}: &a${i} 1`).join('\n'),
    aliases: `a: &a 1\nb: [${'*a,'.repeat(20_000)}]`,
    tags: Array.from({ length: 5_000 }, (_, i) => `k${i}: !!str 1`).join('\n'),
    quoted: `a: "${'\\n'.repeat(30_000)}"`,
    'block text': `a: |\n${' x\n'.repeat(20_000)}`,
    'folded text': `a: >\n${' x\n'.repeat(20_000)}`,
    'plain multi-line': `a:\n${' x\n'.repeat(20_000)}`,
    errors: `${'a: b: c\n'.repeat(7_500)}`,
    'bad tokens': `${'%\n@\n`\n'.repeat(10_000)}`,
    colons: `a: ${':'.repeat(60_000)}`,
    'question marks': '? \n'.repeat(20_000),
    spaces: `a:${' '.repeat(60_000)}`,
    'blank lines': '\n'.repeat(60_000),
    indented: Array.from({ length: 700 }, (_, i) => `${' '.repeat(i % 100)}a:`).join('\n'),
    stairs: Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`)
      .join('\n')
      .repeat(10),
  }
  const unknown = keys(400_000)
  const inField = (name, text) => `{"${name}":${text}}`
  const settings = `/projects/${project}/settings`
  const legacySettings = `/v1/projects/${project}/settings`
  const links = Array.from({ length: 30_000 }, (_, i) => `[a](/p${i}/#b${i})`).join(' ')
  return [
    ['calm', put(`/pages/${page}`, '{"title":"A"}')],
    ['POST /pages, 400,000 unknown fields', post('/pages', unknown)],
    ['PUT /pages/:id, 400,000 unknown fields', put(`/pages/${page}`, unknown)],
    ['POST /pages/:id/publish, 400,000 unknown fields', post(`/pages/${page}/publish`, unknown)],
    ['POST /pages/:id/unpublish, 400,000 unknown fields', post(`/pages/${page}/unpublish`, unknown)],
    ['POST /projects, 400,000 unknown fields', post('/projects', unknown)],
    ['PUT /projects/:id, 400,000 unknown fields', put(`/projects/${project}`, unknown)],
    ['PUT settings, 400,000 unknown fields', put(settings, unknown)],
    ['PUT settings, /v1, 400,000 unknown fields', put(legacySettings, unknown)],
    ['PUT /v1/pages, 400,000 unknown fields', put(`/v1/pages/${page}`, unknown)],
    ['POST webhooks, 400,000 unknown fields', post(`/projects/${project}/webhooks`, unknown)],
    ['POST publish of a project, 400,000 unknown fields', post(`/projects/${project}/publish`, unknown)],
    ['meta, 400,000 unknown fields', put(`/pages/${page}`, inField('meta', unknown))],
    ['author, 400,000 unknown fields', put(`/pages/${page}`, inField('author', unknown))],
    ['title, 400,000 fields', put(`/pages/${page}`, inField('title', unknown))],
    ['config, 400,000 fields', put(`/pages/${page}`, inField('config', unknown))],
    ['hosting, 400,000 unknown fields', put(`/projects/${project}`, inField('hosting', unknown))],
    ['site_routes, 250,000', put(settings, inField('site_routes', keys(250_000, '"/a"')))],
    ['site_routes, 250,000, /v1', put(legacySettings, inField('site_routes', keys(250_000, '"/a"')))],
    ['site_routes, 250,000 wrong', put(settings, inField('site_routes', keys(250_000, '"a b"')))],
    ['site_routes, 250,000 wrong, /v1', put(legacySettings, inField('site_routes', keys(250_000, '"a b"')))],
    ['site_routes, 90,000 wrong', put(settings, inField('site_routes', keys(90_000, '"a b"')))],
    ['site_routes, 90,000 wrong, /v1', put(legacySettings, inField('site_routes', keys(90_000, '"a b"')))],
    ['branding, 400,000', put(settings, inField('branding', unknown))],
    ['branding, 90,000', put(settings, inField('branding', keys(90_000)))],
    ['branding, 90,000, /v1', put(legacySettings, inField('branding', keys(90_000)))],
    ['nav_links, 1,000,000 numbers', put(settings, inField('nav_links', list(1_000_000, '1')))],
    ['nav_links, 90,000 numbers', put(settings, inField('nav_links', list(90_000, '1')))],
    ['nav_links, 90,000 objects', put(settings, inField('nav_links', list(90_000, '{}')))],
    [
      'nav_links, 45,000 links',
      put(settings, inField('nav_links', list(33_000, '{"label":"a","href":"/a"}'))),
    ],
    [
      'shared_footer, 90,000 objects',
      put(settings, inField('shared_footer', inField('links', list(90_000, '{}')))),
    ],
    ['docs_nav, 90,000', put(settings, inField('docs_nav', list(90_000, '1')))],
    [
      'docs_nav, 90,000 in children',
      put(settings, inField('docs_nav', list(1, inField('children', list(90_000, '1'))))),
    ],
    [
      'docs_nav, one entry of 90,000 unknown fields',
      put(settings, inField('docs_nav', list(1, keys(90_000)))),
    ],
    ['10,000 unknown fields', put(`/pages/${page}`, keys(10_000))],
    ['10,000 unknown fields of a page, POST', post('/pages', keys(10_000))],
    ['10,000 unknown settings', put(settings, keys(10_000))],
    ['10,000 unknown fields of a project', put(`/projects/${project}`, keys(10_000))],
    ['meta, 10,000 unknown fields', put(`/pages/${page}`, inField('meta', keys(10_000)))],
    ['author, 10,000 unknown fields', put(`/pages/${page}`, inField('author', keys(10_000)))],
    ['branding, 10,000', put(settings, inField('branding', keys(10_000)))],
    ['branding, 10,000, /v1', put(legacySettings, inField('branding', keys(10_000)))],
    ['site_routes, 10,000 wrong', put(settings, inField('site_routes', keys(10_000, '"a b"')))],
    ['site_routes, 1,000 wrong, /v1', put(legacySettings, inField('site_routes', keys(1_000, '"a b"')))],
    [
      '10 objects of 9,900 fields',
      put(settings, `{${Array.from({ length: 10 }, (_, i) => `"docs_nav${i}":${keys(9_900)}`)}}`),
    ],
    [
      'docs_nav of 10 entries of 9,900 unknown fields',
      put(settings, inField('docs_nav', list(10, keys(9_900)))),
    ],
    [
      'docs_nav of 1,900 entries of 45 unknown fields',
      put(settings, inField('docs_nav', list(1_900, keys(45)))),
    ],
    [
      'nav_links of 50 entries of 1,900 unknown fields',
      put(settings, inField('nav_links', list(50, keys(1_900)))),
    ],
    [
      '99,000 numbers of 20 digits',
      put(`/pages/${page}`, inField('config', list(99_000, '12345678901234567890'))),
    ],
    [
      '99,000 numbers of 17 digits',
      put(`/pages/${page}`, inField('config', list(99_000, '0.12345678901234567'))),
    ],
    ['90,000 unknown fields', put(`/pages/${page}`, keys(90_000))],
    ['90,000 unknown fields, /v1', put(`/v1/pages/${page}`, keys(90_000))],
    ['90,000 unknown settings', put(settings, keys(90_000))],
    ['90,000 unknown fields of a project', put(`/projects/${project}`, keys(90_000))],
    ['90,000 unknown fields of a publish', post(`/pages/${page}/publish`, keys(90_000))],
    ['meta, 90,000 unknown fields', put(`/pages/${page}`, inField('meta', keys(90_000)))],
    ['author, 90,000 unknown fields', put(`/pages/${page}`, inField('author', keys(90_000)))],
    [
      'bulk publish of 400,000 ids',
      post(`/projects/${project}/publish`, inField('pages', list(200_000, '"page_aaaaaaaaaaaaaaaa"'))),
    ],
    [
      'bulk publish of 90,000 ids',
      post(`/projects/${project}/publish`, inField('pages', list(90_000, '"page_aaaaaaaaaaaaaaaa"'))),
    ],
    [
      'bulk publish of 90,000 numbers',
      post(`/projects/${project}/publish`, inField('pages', list(90_000, '1'))),
    ],
    [
      'webhook events, 90,000',
      post(`/projects/${project}/webhooks`, inField('events', list(90_000, '"page.published"'))),
    ],
    [
      'webhook events, 90,000 wrong',
      post(`/projects/${project}/webhooks`, inField('events', list(90_000, '"x"'))),
    ],
    ['config, 9,900 keys', put(`/pages/${page}`, JSON.stringify({ config: wide }))],
    [
      'config, sections 90,000 empty objects',
      put(`/pages/${sectionsPage}`, inField('config', inField('sections', list(90_000, '{}')))),
    ],
    [
      'config, sections 90,000 numbers',
      put(`/pages/${sectionsPage}`, inField('config', inField('sections', list(90_000, '1')))),
    ],
    ['config, 200 heroes', put(`/pages/${sectionsPage}`, JSON.stringify({ config: heroes }))],
    [
      'config, 200 markdown sections',
      put(`/pages/${sectionsPage}`, JSON.stringify({ config: markdownSections })),
    ],
    ['config, one faq of 11,000 items', put(`/pages/${sectionsPage}`, JSON.stringify({ config: faq }))],
    ['config, 5 MiB', put(`/pages/${sectionsPage}`, JSON.stringify({ config: { a: fill('x') } }))],
    ['text of 5 MiB, x', update({ markdown_content: fill('x') })],
    ['text of 5 MiB, words', update({ markdown_content: fill('word ') })],
    ['text of 5 MiB, escapes', put(`/pages/${page}`, `{"markdown_content":"${'\\u0041'.repeat(MIB5 / 6)}"}`)],
    ['text of 5 MiB, line feeds', update({ markdown_content: fill('\n') })],
    ['text of 5 MiB, backslashes', update({ markdown_content: fill('\\') })],
    ['text of 5 MiB, quotes', update({ markdown_content: fill('"') })],
    ['text of 5 MiB, é', update({ markdown_content: fill('é') })],
    ['text of 5 MiB, emoji', update({ markdown_content: fill('😀') })],
    ['text of 5 MiB, < ', update({ markdown_content: fill('<') })],
    ['text of 5 MiB, ---', update({ markdown_content: `---\n${fill('--\n')}` })],
    ['text of 5 MiB, ``` ', update({ markdown_content: fill('`\n') })],
    ['text of 5 MiB, [](', update({ markdown_content: fill('[](') })],
    [
      'text of 5 MiB, Idempotency-Key',
      (run) => ({
        ...create(`"markdown_content":${JSON.stringify(fill('x'))}`)(),
        headers: { 'idempotency-key': `k${run}` },
      }),
    ],
    ['white space of 5 MiB', put(`/pages/${page}`, `{${' '.repeat(MIB5)}}`)],
    ['brackets of 5 MiB', put(`/pages/${page}`, `{"a":${'['.repeat(MIB5)}`)],
    ['digits of 5 MiB', put(`/pages/${page}`, `{"a":${'1'.repeat(MIB5)}}`)],
    ['strings of 1 byte, 5 MiB', put(`/pages/${page}`, `{"a":${list(1_300_000, '""')}}`)],
    ['unclosed string of quotes', put(`/pages/${page}`, `{"a":"${'\\"'.repeat(MIB5 / 2)}`)],
    ...Object.entries(yamls).map(([name, yaml]) => [
      `front matter: ${name}`,
      update({ markdown_content: yamlOf(yaml) }),
    ]),
    ...['keys', 'flow list'].map((name) => [
      `GET after front matter: ${name}`,
      jsonOf({ markdown_content: yamlOf(yamls[name]) }),
    ]),
    ['markdown of a page: 200 heroes', markdownOf({ type: 'page', config: heroes })],
    ['markdown of a page: 200 markdown sections', markdownOf({ type: 'page', config: markdownSections })],
    ['markdown of a page: faq', markdownOf({ type: 'page', config: faq })],
    ['markdown of an item: 9,900 keys', markdownOf({ type: 'item', config: wide })],
    ['markdown of an article: 5 MiB', markdownOf({ markdown_content: fill('word ') })],
    [
      'markdown of an article: config of 490 KB text',
      markdownOf({ config: { text: fill('a: b\n', 400_000) } }),
    ],
    ['json of a page: 200 heroes', jsonOf({ type: 'page', config: heroes })],
    ['json of an article: 5 MiB', jsonOf({ markdown_content: fill('word ') })],
    ['publish: 200 heroes', publishOf({ type: 'page', config: heroes })],
    ['publish: 200 markdown sections', publishOf({ type: 'page', config: markdownSections })],
    ['publish: faq', publishOf({ type: 'page', config: faq })],
    ['publish: item of 9,900 keys', publishOf({ type: 'item', config: wide })],
    ['publish: 30,000 links', publishOf({ markdown_content: links })],
    ['publish: 10,000 headings', publishOf({ markdown_content: '## a\n\n'.repeat(10_000) })],
    ['publish: 200 KB of words', publishOf({ markdown_content: fill('word ', 200_000) })],
    ['publish: 2 MB of words', publishOf({ markdown_content: fill('word ', 2_000_000) })],
    ['publish: 5 MiB ignored text', publishOf({ type: 'page', markdown_content: fill('word ') })],
    ['dry run: 30,000 links', publishOf({ markdown_content: links }, '?dry_run=true')],
    [
      'dry run: 200 markdown sections',
      publishOf({ type: 'page', config: markdownSections }, '?dry_run=true'),
    ],
    ['preview: 200 heroes', previewOf({ type: 'page', config: heroes })],
    ['preview: faq', previewOf({ type: 'page', config: faq })],
    ['preview: 200 KB of words', previewOf({ markdown_content: fill('word ', 200_000) })],
    ['preview: front matter keys', previewOf({ markdown_content: yamlOf(yamls['keys']) })],
    ['css: 51,200 bytes', put(settings, JSON.stringify({ custom_css: fill('a{b:c}', 51_000) }))],
    ['css: brackets', put(settings, JSON.stringify({ custom_css: fill('()', 51_000) }))],
    [
      'css: ten urls at the end',
      put(settings, JSON.stringify({ custom_css: fill('\n', 25_000) + 'url(x:y)'.repeat(20) })),
    ],
    ['css: open strings', put(settings, JSON.stringify({ custom_css: fill('"\n', 51_000) }))],
    ['css: comments', put(settings, JSON.stringify({ custom_css: fill('/**/', 51_000) }))],
    [
      'query of 8,000 parameters',
      () => ({ method: 'GET', path: `/pages?project_id=${project}&${'a&'.repeat(7_000)}` }),
    ],
    [
      'query of 800 known parameters',
      () => ({ method: 'GET', path: `/pages?project_id=${project}&${'sort=slug&'.repeat(1_400)}` }),
    ],
    [
      'slug pattern',
      () => ({ method: 'GET', path: `/pages?project_id=${project}&slug=${'*a'.repeat(95)}*b` }),
    ],
    [
      'include of 1,000',
      () => ({ method: 'GET', path: `/projects/${project}?include=${'pages,'.repeat(1_300)}pages` }),
    ],
    [
      'if-none-match of 14 KB',
      () => ({ method: 'GET', path: `/pages/${page}`, headers: { 'if-none-match': '"a",'.repeat(3_500) } }),
    ],
    [
      'if-match of 14 KB',
      () => ({
        method: 'PUT',
        path: `/pages/${page}`,
        body: '{}',
        headers: { 'if-match': '"1-'.repeat(3_500) },
      }),
    ],
    [
      'if-match of digits',
      () => ({
        method: 'PUT',
        path: `/pages/${page}`,
        body: '{}',
        headers: { 'if-match': `"${'1'.repeat(14_000)}` },
      }),
    ],
    [
      'accept-language',
      () => ({
        method: 'GET',
        path: `/public/${project}/`,
        headers: { 'accept-encoding': 'gzip;q=0.1,'.repeat(1_200) },
      }),
    ],
  ]
}

function after(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
