import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fileJsonSchema, SCHEMA_KINDS, type SchemaKind } from '../../src/content-folder/json-schema.ts'
import { readPage } from '../../src/content-folder/page-file.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { readSiteFields } from '../../src/content-folder/site-fields.ts'
import { NO_YAML } from '../../src/content-folder/yaml-source.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { SAMPLE_SITES } from '../support/sample-sites.ts'

const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true })
const accepts = Object.fromEntries(SCHEMA_KINDS.map((kind) => [kind, ajv.compile(fileJsonSchema(kind))])) as {
  readonly [K in SchemaKind]: ValidateFunction
}

const folders = [...Object.values(SAMPLE_SITES), join(PACKAGE_ROOT, 'templates/sites/starter')]

/** All that a file says as fields. */
function fieldsOf(file: string): unknown {
  const text = readFileSync(file, 'utf8')
  return parse(file.endsWith('.md') ? (/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '') : text)
}

test.each(folders)('every file of %s is as its schema says', async (folder) => {
  const { site } = await readSite(folder)
  const wrong = [
    { source: 'site.yaml', kind: 'site' as const },
    // Pages of an API description are not files.
    ...site.pages
      .filter(({ source }) => existsSync(join(folder, source)))
      .map(({ source, type }) => ({ source, kind: type })),
  ].filter(({ source, kind }) => !accepts[kind](fieldsOf(join(folder, source))))
  expect(wrong).toEqual([])
  expect(site.pages).not.toEqual([])
})

test.each(SCHEMA_KINDS)('an editor has a word to say on every field of a %s', (kind) => {
  const { properties } = fileJsonSchema(kind)
  const fields = Object.entries(properties as Record<string, JsonObject>)
  expect(fields.filter(([, { description }]) => String(description ?? '').length < 10)).toEqual([])
  expect(fields.length).toBeGreaterThan(9)
})

const faultsOf: Readonly<Record<SchemaKind, (fields: JsonObject) => number>> = {
  site: (fields) => ('error' in readSiteFields(fields, NO_YAML) ? 1 : 0),
  page: (fields) => pageFaults({ type: 'page', ...fields }),
  article: (fields) => pageFaults({ type: 'article', ...fields }),
  docs: (fields) => pageFaults({ type: 'docs', ...fields }),
  item: (fields) => pageFaults({ type: 'item', ...fields }),
}

function pageFaults(fields: JsonObject): number {
  const isProse = fields['type'] === 'article' || fields['type'] === 'docs'
  const text = JSON.stringify(fields)
  return (isProse ? readPage('a.md', `---\n${text}\n---\n`, {}) : readPage('a.json', text, {})).errors.length
}

test.each<[SchemaKind, JsonObject]>([
  ['site', {}],
  ['site', { name: [5] }],
  ['site', { name: 'A', navlinks: [] }],
  ['site', { name: 'A', nav_links: [{ label: 'B' }] }],
  ['site', { name: 'A', docs_nav: [{ title: 'B', children: [{ slug: 'c' }] }] }],
  ['site', { name: 'A', types: { blog: 'news' } }],
  ['page', { title: 'A', sections: [{ title: 'B' }] }],
  ['article', { title: 'A', author: { avatar: '/a.png' } }],
  ['article', { title: 'A', draft: 'yes' }],
  ['docs', { title: 'A', nav_order: 1.5 }],
  ['docs', { title: 'A', lang: 'english' }],
  ['item', { title: 'A', description: ['B'] }],
])('fields of a %s, %j, are refused by its schema and when they are read', (kind, fields) => {
  expect(accepts[kind](fields)).toBe(false)
  expect(faultsOf[kind](fields)).toBeGreaterThan(0)
})

test.each<[SchemaKind, JsonObject]>([
  ['site', { name: 'A', docs_nav: [{ title: 'B', children: [{ title: 'C', slug: 'c' }] }] }],
  ['page', { title: 'A', sections: [{ type: 'hero', title: 'B' }] }],
  ['page', { title: 'A', nav_order: 1 }],
  ['docs', { title: 'A', price: 3 }],
  ['article', { title: 'A', author: 'B', publish_date: '2026-01-01' }],
  ['docs', { title: 'A', parent: null, badge: 'new' }],
  ['docs', { title: 'A', lang: 'zh_Hans' }],
  ['item', { title: 'A', price: 5, sizes: ['S', 'M'] }],
])('fields of a %s, %j, are taken by both', (kind, fields) => {
  expect(accepts[kind](fields)).toBe(true)
  expect(faultsOf[kind](fields)).toBe(0)
})

test('quoin schema prints the schema of a file', async () => {
  const { code, out } = await startCommand(['schema', 'docs']).ended
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(fileJsonSchema('docs'))
  const wrong = await startCommand(['schema', 'news']).ended
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('site, page, article, docs, item') })
})
