import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Root } from 'hast'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { enhance } from '../../../src/render/markdown/enhance/enhance.ts'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { markdownParser } from '../../../src/render/markdown/parser.ts'
import { print } from '../../../src/render/markdown/print.ts'
import { SCHEMAS } from '../../../src/render/markdown/schema.ts'
import { toSafeHast } from '../../../src/render/markdown/to-safe-hast.ts'
import { runs } from '../../support/long-form.ts'

const printer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze()

const fixtures = new URL('../../../fixtures/markdown/', import.meta.url)
const fixture = (name: string) => readFileSync(new URL(`${name}/input.md`, fixtures), 'utf8')
const names = readdirSync(fixtures)
const tools = await loadMarkdownTools(names.map(fixture).join('\n'))

function treesOf(source: string): readonly Root[] {
  return [{ href: (url: string) => url, tools, title: '' }, { href: () => '/`\'"&<' }].map(
    (options) => enhance(toSafeHast(source, 'block', markdownParser.parse), options).tree,
  )
}

function expectTheSame(source: string): void {
  for (const tree of treesOf(source)) expect(print(tree)).toBe(printer.stringify(tree))
}

test.each(names)('%s is printed as rehype-stringify prints it', (name) => {
  expectTheSame(fixture(name))
})

const tags = SCHEMAS.block.tagNames ?? []
const attributes = Object.values(SCHEMAS.block.attributes ?? {})
  .flat()
  .map((attribute) => (typeof attribute === 'string' ? attribute : attribute[0]))
  .map((name) =>
    name === 'className'
      ? 'class'
      : name.replace(/^(aria|data)/, '$1-').replace(/[A-Z]/g, (at) => at.toLowerCase()),
  )
const values = `,="",=x,="x y",='"&<>',="\`'",=3,=-1,=true,=false,=checked,=language-a,="&#0;"`.split(',')
const texts = `a & b,"c",it's \`d\`,<!-- e -->,\n,\n\n,# f,- [x] g,[^1],\n\n[^1]: h\n\n,&lt;`.split(',')

const hostile = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...tags, 'script', 'svg', 'x-y'),
          fc.array(
            fc.tuple(
              fc.constantFrom(...attributes, 'onclick', 'style', 'data-x-y'),
              fc.constantFrom(...values),
            ),
            {
              maxLength: 4,
            },
          ),
        )
        .map(([tag, given]) => `<${tag} ${given.map((parts) => parts.join('')).join(' ')}>`),
      fc.constantFrom(...tags).map((tag) => `</${tag}>`),
      fc.constantFrom(...texts),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

test('any sanitised HTML is printed as rehype-stringify prints it', () => {
  fc.assert(fc.property(hostile, expectTheSame), { numRuns: runs(800) })
})
