import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporarySite } from '../site-build/temporary-site.ts'
import { startCommand } from '../support/command.ts'
import { flatPng } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('a push sends the files that raw HTML and custom_css name, style sheets as such, and reports what files name', async () => {
  const { folder, put } = await temporarySite({
    'site.yaml':
      'name: Notes\ncustom_head_html: \'<link rel="stylesheet" href="/css/print.css" media="print">\'\ncustom_css: \'.b { background: url(/img/back.png) }\'\n',
    'index.md':
      '---\ntitle: Home\n---\n<img src=img/small.png srcset="img/small.png 1x,\n  img/large.png 2x" alt="">\n\n[plan](plan.svg)\n',
    'static/css/print.css': 'a { color: red }\nb {\n  background: url(../img/back.png) }\n',
    'plan.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">\n<image href="img/small.png"/></svg>',
    'static/img/.keep': '',
    'img/.keep': '',
  })
  await put('static/css/unused.css', 'a { background: url(lost.png) }')
  for (const [name, side] of [
    ['static/img/back.png', 2],
    ['img/small.png', 3],
    ['img/large.png', 6],
  ] as const)
    await writeFile(join(folder, name), flatPng(side, side))
  const env = { QUOIN_KEY: service.key, QUOIN_URL: service.url }
  const pushed = await startCommand(['push', folder, '--publish', '--json'], env).ended
  const report = JSON.parse(pushed.out || pushed.err)
  expect(report.missing.map(({ file, line, asset }: Record<string, unknown>) => [file, line, asset])).toEqual(
    [
      ['plan.svg', 2, 'img/small.png'],
      ['static/css/print.css', 3, 'static/img/back.png'],
    ],
  )
  expect(report.warnings).toMatchObject([{ code: 'QN-DEADLINK', file: 'static/css/unused.css', line: 1 }])
  expect([...report.files.sent].sort()).toEqual([
    'img/large.png',
    'img/small.png',
    'plan.svg',
    'static/css/print.css',
    'static/img/back.png',
  ])
  const accepted = await startCommand(['push', folder, '--publish', '--allow-missing-files'], env).ended
  expect(accepted.code).toBe(0)
  const address = /The site is at (.*)/.exec(accepted.out)?.[1] ?? ''
  const html = await (await fetch(address)).text()
  expect(html).toMatch(/srcset="_media\/small\.[0-9a-f]{16}\.png 1x,\s+_media\/large\.[0-9a-f]{16}\.png 2x"/)
  const [, sheet = ''] = /href="([^"]*_media\/print\.[0-9a-f]{16}\.css)"/.exec(html) ?? []
  const file = await fetch(new URL(sheet, address))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})
