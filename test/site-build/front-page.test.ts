import { describe, expect, test } from 'vitest'
import { temporarySite } from './temporary-site.ts'

const PAGE = '---\ntitle: A\n---\nText.\n'
const warningsOf = async (files: Readonly<Record<string, string>>) => {
  const { build } = await temporarySite({ 'site.yaml': 'name: Notes\n', ...files })
  return (await build()).warnings
}

describe('a site without a front page', () => {
  test('is reported, with what to do', async () => {
    expect(await warningsOf({ 'docs/a.md': PAGE, '404.md': PAGE })).toMatchObject([
      { code: 'QN-NO-FRONT-PAGE', file: 'site.yaml', message: expect.stringContaining('Add an index.md') },
    ])
  })

  test.each([
    ['index.md', PAGE],
    ['README.md', PAGE],
    ['start.md', PAGE.replace('title: A', 'title: A\nslug: index')],
    ['static/index.html', '<!doctype html>'],
    ['docs/start.md', PAGE.replace('title: A', 'title: A\nslug: index\nsubroute: ""')],
  ])('is none that has %s', async (name, text) => {
    expect(await warningsOf({ 'docs/a.md': PAGE, [name]: text })).toEqual([])
  })
})
