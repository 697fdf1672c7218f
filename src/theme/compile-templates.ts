import { compileFunction } from 'node:vm'

import { Eta, type TemplateFunction } from 'eta/core'
import { LRUCache } from 'lru-cache'

import { messageOf } from '../domain/errors.ts'
import { ThemeError } from './theme-error.ts'
import type { ThemeFile, ThemeFiles } from './theme-files.ts'

/** Themes share most templates, and a watched theme changes one at a time: by path and text, in code that knows no theme. */
const compiled = new LRUCache<string, TemplateFunction>({ max: 500 })

/** Turns data into text with the template of this name, e.g. `layouts/page`. */
export type RenderTemplate = (name: string, data: object) => string

/**
 * Compile all templates at once, so that nothing is read from disk afterwards and a broken one shows at load.
 *
 * @throws {ThemeError} for the first template that does not compile or includes one that is not there.
 */
export function compileTemplates(files: ThemeFiles): RenderTemplate {
  // Debug makes an error while rendering name its file and line; it costs an assignment per tag.
  const eta = new Eta({
    autoEscape: true,
    cache: true,
    debug: true,
    plugins: [{ processAST: withoutIndentation }],
  })
  for (const file of files.values()) {
    refuseUnknownIncludes(file, files)
    eta.templatesSync.define(file.path, remembered(eta, file))
  }
  // Eta asks for a file to read only when a template was not compiled above, and all were.
  eta.readFile = (path) => unknownTemplate(path)
  eta.resolvePath = (name) => files.get(`${name}.eta`)?.path ?? unknownTemplate(name)
  return (name, data) => eta.render(name, data)
}

/** Indentation helps who reads a template, not who downloads the page. */
function withoutIndentation<Node>(nodes: Node[]): Node[] {
  // Eta has written each line break of the text as the two characters `\n` by now.
  return nodes.map((node) =>
    typeof node === 'string' ? node.replace(/(?:\\n\s*)+/g, '\\n') : node,
  ) as Node[]
}

function refuseUnknownIncludes({ path, text }: ThemeFile, files: ThemeFiles): void {
  for (const match of text.matchAll(/\b(?:include|layout)\(\s*['"]([^'"]+)['"]/g)) {
    if (files.has(`${match[1]}.eta`)) continue
    throw new ThemeError({
      file: path,
      line: lineAt(text, match.index),
      message: `There is no template ${match[1]}.`,
    })
  }
}

function remembered(eta: Eta, file: ThemeFile): TemplateFunction {
  const key = `${file.path}\n${file.text}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const template = compileTemplate(eta, file)
  compiled.set(key, template)
  return template
}

function compileTemplate(eta: Eta, { path, text }: ThemeFile): TemplateFunction {
  const code = toCode(eta, { path, text })
  try {
    // Unlike `new Function`, this says in which line of the code the fault lies.
    return compileFunction(code, ['it', 'options'], { filename: path }) as TemplateFunction
  } catch (error) {
    throw new ThemeError(
      { file: path, line: faultyLine(code, error), message: messageOf(error) },
      { cause: error },
    )
  }
}

function toCode(eta: Eta, { path, text }: ThemeFile): string {
  try {
    return eta.compileToString(text)
  } catch (error) {
    const [message = '', line] = /^(.*) at line (\d+)/.exec(messageOf(error))?.slice(1) ?? [messageOf(error)]
    throw new ThemeError(
      { file: path, line: line === undefined ? null : Number(line), message },
      { cause: error },
    )
  }
}

/** The line of the template whose code the compiler complains about: debug notes it before each tag. */
function faultyLine(code: string, error: unknown): number {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const codeLine = Number(/:(\d+)\n/.exec(stack)?.[1] ?? Number.POSITIVE_INFINITY)
  const before = code.split('\n').slice(0, codeLine)
  const noted = before
    .map((line) => /^__eta\.line=(\d+)$/.exec(line)?.[1])
    .findLast((line) => line !== undefined)
  return Number(noted ?? 1)
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function unknownTemplate(name: string): never {
  throw new ThemeError({ file: name, line: null, message: 'There is no such template.' })
}
