import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { PAGE_TYPES } from '../../src/domain/page.ts'
import { bodyOf, splitFrontMatter } from '../../src/page-text/front-matter.ts'
import { itemMarkdown } from '../../src/page-text/item-markdown.ts'
import { pageDocument } from '../../src/page-text/page-document.ts'
import { remarkParser } from '../../src/render/markdown/remark.ts'
import { runs } from '../support/long-form.ts'
import { anyText, collapsed, textOf, visibleText } from '../support/markdown-text.ts'

const STATED: JsonObject = { title: 'Stated', slug: 'stated', og_image_url: null, meta: { title: null } }

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
const config = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,8}$/).filter((key) => key !== '__proto__'),
  fc.oneof(json, anyText),
) as fc.Arbitrary<JsonObject>
const markdown = fc.oneof(
  anyText,
  fc.tuple(config, anyText).map(([authored, text]) => `---\n${JSON.stringify(authored)}\n---\n${text}`),
)

test('a document can be read back into its parts', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAGE_TYPES), config, markdown, (type, given, written) => {
      const document = pageDocument(
        { type, title: 'Title', config: given, markdown: written },
        STATED,
        new Map(),
      )
      const { frontMatter, body, error } = splitFrontMatter(document)
      expect(error).toBeNull()
      expect(frontMatter).toMatchObject({ title: 'Stated', slug: 'stated' })
      expect(frontMatter).not.toHaveProperty('meta')
      if (Object.keys(given).length > 0) expect(frontMatter['config']).toEqual(given)
      if (type === 'article' || type === 'docs') expect(body).toBe(bodyOf(written))
      else expect(body).toMatch(/^# /)
    }),
  )
})

test("the author's front matter is kept, and stated values override it", () => {
  const written = '---\ntitle: Old\nog_image_url: /old.png\nkeep: [1]\nconfig: mine\n---\nText.'
  const document = pageDocument(
    { type: 'docs', title: 'T', config: {}, markdown: written },
    STATED,
    new Map(),
  )
  expect(splitFrontMatter(document).frontMatter).toEqual({
    title: 'Stated',
    slug: 'stated',
    keep: [1],
    config: 'mine',
  })
})

test('the fields of an item are one list with every text', () => {
  const parse = remarkParser('gfm')
  const { fields } = fc.letrec<{ fields: JsonObject; value: JsonObject[string] }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      visibleText,
      fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
      tie('fields'),
    ),
    fields: fc.dictionary(fc.stringMatching(/^[A-Z][a-z*_]{1,6}$/), tie('value'), {
      minKeys: 1,
      maxKeys: 3,
    }) as fc.Arbitrary<JsonObject>,
  }))
  fc.assert(
    fc.property(fields, (given) => {
      const tree = parse(itemMarkdown(given))
      expect(tree.children.map(({ type }) => type)).toEqual(['list'])
      const said = textOf(tree)
      for (const text of textsIn(given)) expect(said).toContain(collapsed(text))
    }),
    { numRuns: runs(300) },
  )
})

function textsIn(value: JsonObject[string]): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
