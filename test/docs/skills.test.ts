import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/main.ts'
import { readSkills } from '../../src/content-folder/skills.ts'
import { DIAGNOSTIC_CODES } from '../../src/domain/diagnostic-codes.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { SECTION_TYPE_NAMES } from '../../src/sections/catalogue.ts'

const SITE = fileURLToPath(new URL('../../templates/docs-site/', import.meta.url))
const FILES = readdirSync(`${SITE}skills`).map((name) => `skills/${name}/SKILL.md`)
const textOf = (path: string) => readFileSync(SITE + path, 'utf8')

describe.each(FILES)('%s', (file) => {
  const text = textOf(file)

  test('is a skill as the format wants it, short enough to be read at once', () => {
    const { skills, errors } = readSkills([file], textOf)
    expect(errors).toEqual([])
    expect(skills).toHaveLength(1)
    expect(text.length).toBeLessThan(8000)
  })

  test('names requests, pages, sections and codes that exist', () => {
    const { paths } = createApiDocument({ themes: ['default'], baseUrl: 'http://127.0.0.1' })
    const requests = [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/[^`?\s]*)/g)]
    const unknown = requests
      .filter(([, , path]) => path !== '/mcp')
      .filter(([, method = '', path = '']) => {
        const operations = (paths as Record<string, object>)[path] ?? {}
        return path !== '/openapi.json' && !Object.hasOwn(operations, method.toLowerCase())
      })
    expect(unknown.map(([request]) => request)).toEqual([])

    const pages = [...text.matchAll(/(?<=[`(])\/docs\/[\w/-]+/g)].map(([path]) => path)
    const missing = pages.filter(
      (path) => !existsSync(`${SITE}${path}.md`) && !existsSync(`${SITE}${path}/index.md`),
    )
    expect(missing).toEqual([])
    const types = [...text.matchAll(/- type: (\w+)/g)].map(([, type]) => type)
    expect(types.filter((type) => !SECTION_TYPE_NAMES.includes(type ?? ''))).toEqual([])
    const codes = [...text.matchAll(/QN-[A-Z-]+/g)].map(([code]) => code)
    expect(codes.filter((code) => !Object.hasOwn(DIAGNOSTIC_CODES, code))).toEqual([])
  })

  test('names commands and options that exist', async () => {
    const lines = [...text.matchAll(/(?:^|`)quoin ([a-z][^`\n]*)/gm)].map(([, line = '']) => line.split(' '))
    const program = await createProgram()
    for (const words of lines) {
      let command = program
      for (const word of words) {
        const next = command.commands.find((one) => one.name() === word)
        if (next === undefined) break
        command = next
      }
      expect(command, words.join(' ')).not.toBe(program)
      // A group such as `quoin theme` does nothing by itself.
      expect(command.commands, words.join(' ')).toEqual([])
      const options = words.filter((word) => word.startsWith('--'))
      const known = command.options.map(({ long }) => long)
      expect(
        options.filter((option) => !known.includes(option)),
        words.join(' '),
      ).toEqual([])
    }
  })
})

test('the skills name commands and requests, so that the checks above have something to check', () => {
  const all = FILES.map(textOf).join('')
  expect(FILES).toHaveLength(3)
  expect(all.match(/^quoin /gm)?.length).toBeGreaterThan(3)
  expect(all.match(/`(GET|POST|PUT|DELETE) \//g)?.length).toBeGreaterThan(8)
})
