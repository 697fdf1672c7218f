import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { startService } from '../support/service.ts'

test('quoin check-links --project checks the published pages of a project, and names their paths', async () => {
  const other = createServer((request, response) =>
    response.writeHead(request.url === '/ok' ? 200 : 404).end(),
  )
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const site = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const service = await startService()
  onTestFinished(() => service.close())
  const project = await service.newProject('Links')
  const newPage = async (slug: string, path: string) => {
    const page = { project_id: project, title: slug, type: 'docs', subroute: 'docs', slug }
    const own = `${service.url}/public/${project}/nothing`
    const body = {
      ...page,
      markdown_content: `---\nauthor: { name: Ines, url: "${site}/ok" }\n---\n[A](${site}${path}) [Own](${own}) [Other](${service.url}/public/proj_other/)`,
      og_image_url: `${site}${path}.png`,
    }
    return (await service.call('POST', '/pages', body)).body.data.id
  }
  await newPage('draft', '/draft')
  for (const [slug, path] of [
    ['good', '/ok'],
    ['bad', '/gone'],
  ] as const)
    await service.call('POST', `/pages/${await newPage(slug, path)}/publish`)

  const flags = ['--project', project, '--server', service.url, '--allow-private', '--fresh', '--json']
  const { code, out, err } = await startCommand(['check-links', ...flags], { QUOIN_KEY: service.key }).ended
  expect([code, err]).toEqual([1, expect.not.stringContaining('Error')])
  const found = JSON.parse(out)
  expect(found.addresses).toBe(5)
  const dead = found.dead.map(({ file, message }: { file: string; message: string }) => `${file}: ${message}`)
  expect(dead.toSorted()).toEqual(
    [
      `/docs/bad: ${service.url}/public/proj_other/ leads nowhere. It answers 404.`,
      `/docs/bad: ${site}/gone leads nowhere. It answers 404.`,
      `/docs/bad: ${site}/gone.png leads nowhere. It answers 404.`,
      `/docs/good: ${service.url}/public/proj_other/ leads nowhere. It answers 404.`,
      `/docs/good: ${site}/ok.png leads nowhere. It answers 404.`,
    ].toSorted(),
  )
})

test('quoin redirects --project lists the paths that lead to pages of a project', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const project = await service.newProject('Moves')
  const page = {
    project_id: project,
    title: 'One',
    type: 'docs',
    subroute: 'docs',
    slug: 'one',
    markdown_content: 'Text.',
  }
  const { id } = (await service.call('POST', '/pages', page)).body.data
  await service.call('POST', `/projects/${project}/redirects`, { from: '/old/one', page_id: id })
  const flags = ['--project', project, '--server', service.url]
  const { code, out } = await startCommand(['redirects', ...flags], { QUOIN_KEY: service.key }).ended
  expect([code, out]).toEqual([0, `/old/one → /docs/one  ${id}  unpublished\n1 redirect.\n`])
})
