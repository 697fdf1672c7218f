import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../src/platform/package-paths.ts'

/*
 * The code speaks plain technical English, so that a reader finds the field's words. These expressions name
 * turns of phrase that hide them; CONTRIBUTING.md says what to write instead.
 */

const VAGUE =
  /\b(whoever|somebody|nobody|anew|is told|are told|tells? of|what lies|lies there|lying|stands there|is kept|are kept|what is|of which|to be had|beneath|at hand|it all)\b/i
/** Participles and adverbs that are no names. */
const VAGUE_NAME =
  /(^|[-/])(kept|made|said|told|seen|left|gone|lying|anew|beside|former|untidy|at-once|in-turn)(?=[-./]|$)/
/** Of all comments; quotations and real need remain. */
const MOST_VAGUE_COMMENTS = 0.02

const RELATIVE = /\b(that|which|whose|those|what)\b/gi
/** Of all sentences in comments. A few need two relative clauses. */
const MOST_STACKED_SENTENCES = 0.02
/** Begins neither with a verb nor with a noun. */
const FRAGMENT = /^(What|Whether|Of|Those|As|Where|How|Null)\b/
const MOST_FRAGMENTS = 0.04

/** Begins a relative clause or a fragment, so that the title has no subject of its own. */
const NO_CLAIM = /^(that|which|and|by|of|who|whose|where)\b/i
/** Of all titles. A title such as `%s` has its claims in the rows of its table. */
const MOST_SHORT_TITLES = 0.01

interface Found {
  readonly place: string
  readonly text: string
}

describe('the language of the code', () => {
  const sources = filesOf('src').filter((file) => file !== 'src/client/api-types.ts')
  const tests = filesOf('test')

  test.each([
    ['src', sources],
    ['test', tests],
  ])('comments in %s use the words of the field', (_, files) => {
    const comments = files.flatMap(commentsIn)
    const vague = comments.filter(({ text }) => VAGUE.test(text))
    expect(comments.length).toBeGreaterThan(500)
    expect(vague.length / comments.length, shown(vague)).toBeLessThanOrEqual(MOST_VAGUE_COMMENTS)
  })

  test('sentences of comments in src have one relative clause at most', () => {
    const sentences = sources.flatMap(commentsIn).flatMap(sentencesOf)
    const stacked = sentences.filter(isStacked)
    expect(sentences.length).toBeGreaterThan(5_000)
    expect(stacked.length / sentences.length, shown(stacked)).toBeLessThanOrEqual(MOST_STACKED_SENTENCES)
  })

  test('comments in src begin with a verb or a noun', () => {
    const comments = sources.flatMap(commentsIn)
    const fragments = comments.filter(({ text }) => FRAGMENT.test(plain(text)))
    expect(fragments.length / comments.length, shown(fragments)).toBeLessThanOrEqual(MOST_FRAGMENTS)
  })

  test('messages use the words of the field', () => {
    const messages = sources.flatMap(messagesIn)
    expect(messages.length).toBeGreaterThan(1000)
    expect(messages.filter(({ text }) => VAGUE.test(text))).toEqual([])
  })

  test('files and folders have names that a reader would search for', () => {
    const names = [...sources, ...tests]
    expect(names.filter((name) => VAGUE_NAME.test(name))).toEqual([])
  })

  test('a sentence with two relative clauses and a fragment are found', () => {
    const code =
      '/** Reads what the file that was named holds. Returns it. */\na()\n// Whether it is read.\n/** A file. */'
    const comments = commentsOf('a.ts', code)
    expect(comments.flatMap(sentencesOf).map(isStacked)).toEqual([true, false, false, false])
    expect(comments.map(({ text }) => FRAGMENT.test(plain(text)))).toEqual([false, true, false])
  })

  test('a vague comment, message and name are found', () => {
    const code = [
      '/** Whoever asks. */',
      'const a = 1 // Nobody',
      'fail("It is kept", "fine", "two words")',
      '// One',
      '// comment',
    ].join('\n')
    expect(commentsOf('a.ts', code).map(({ text }) => VAGUE.test(text))).toEqual([true, true, false])
    expect(messagesOf('a.ts', code).map(({ text }) => VAGUE.test(text))).toEqual([true, false])
    expect(['src/db/kept-page.ts', 'src/made/a.ts'].every((name) => VAGUE_NAME.test(name))).toBe(true)
    expect(VAGUE_NAME.test('src/platform/left-pad.ts')).toBe(true)
    expect(VAGUE_NAME.test('src/render/page/page-view.ts')).toBe(false)
  })

  test('titles of tests are claims of four words or more', () => {
    const titles = tests.flatMap((file) => titlesOf(file, read(file)))
    const short = titles.filter(isShort)
    expect(titles.length).toBeGreaterThan(3_000)
    expect(titles.filter(({ text }) => NO_CLAIM.test(text))).toEqual([])
    expect(short.length / titles.length, shown(short)).toBeLessThanOrEqual(MOST_SHORT_TITLES)
  })

  test('the title of a test is found in each form', () => {
    const code = [
      "describe('of a page', () => {",
      "  test('that is new', run)",
      "  test.each([['a', 'b']])('is equal to %s', run)",
      '  it.skipIf(a.test(b))(`whose page ends with it`, run)',
      '})',
    ].join('\n')
    const titles = titlesOf('a.ts', code)
    expect(titles.map(({ place }) => place)).toEqual(['a.ts:2', 'a.ts:3', 'a.ts:4'])
    expect(titles.map(({ text }) => NO_CLAIM.test(text))).toEqual([true, false, true])
    expect(titles.map(isShort)).toEqual([true, false, false])
  })
})

/** The sentences of a comment. Tags such as `@param` end one. */
function sentencesOf({ place, text }: Found): readonly Found[] {
  return plain(text)
    .split(/(?<=[.!?:;]) |@\w+/)
    .map((sentence) => ({ place, text: sentence }))
}

function isStacked({ text }: Found): boolean {
  return (text.match(RELATIVE)?.length ?? 0) > 1
}

/** The text of a comment on one line, without the marks at the start of its lines. */
function plain(text: string): string {
  return text
    .replaceAll(/^[\s*/]+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mts|mjs)$/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
}

const commentsIn = (file: string) => commentsOf(file, read(file))
const messagesIn = (file: string) => messagesOf(file, read(file))
const read = (file: string) => readFileSync(join(PACKAGE_ROOT, file), 'utf8')

/** Comments by their places; consecutive line comments count as one. */
function commentsOf(file: string, code: string): readonly Found[] {
  const found: { place: string; text: string; end: number }[] = []
  for (const { type, value, start, end } of parseSync(file, code).comments) {
    const last = found.at(-1)
    if (type === 'Line' && last !== undefined && /^\n *$/.test(code.slice(last.end, start)))
      Object.assign(last, { text: `${last.text} ${value}`, end })
    else found.push({ place: placeOf(file, code, start), text: value.replace(/\n\s*\*/g, ' '), end })
  }
  return found
}

/** Texts of more than one word, as written in strings and templates. */
function messagesOf(file: string, code: string): readonly Found[] {
  const found: Found[] = []
  const note = (text: string, start: number) => {
    if (/\S \S/.test(text)) found.push({ place: placeOf(file, code, start), text })
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') note(value, start)
    },
    TemplateElement: ({ value, start }) => note(value.raw, start),
  }).visit(parseSync(file, code).program)
  return found
}

/** Titles of tests, as written. `test.each(rows)(title, run)` has its title in the outer call. */
function titlesOf(file: string, code: string): readonly Found[] {
  const found: Found[] = []
  new Visitor({
    CallExpression: ({ start, arguments: [title, run] }) => {
      if (run === undefined || !/^(test|it)[.(]/.test(code.slice(start, start + 5))) return
      if (title?.type === 'Literal' || title?.type === 'TemplateLiteral')
        found.push({
          place: placeOf(file, code, title.start),
          text: code.slice(title.start + 1, title.end - 1),
        })
    },
  }).visit(parseSync(file, code).program)
  return found
}

function isShort({ text }: Found): boolean {
  return text.trim().split(/\s+/).length < 4
}

function placeOf(file: string, code: string, at: number): string {
  return `${file}:${code.slice(0, at).split('\n').length}`
}

function shown(found: readonly Found[]): string {
  return found.map(({ place, text }) => `${place}: ${text.trim()}`).join('\n')
}
