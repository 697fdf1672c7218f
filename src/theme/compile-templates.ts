import { compileFunction } from 'node:vm'

import { Eta, type TemplateFunction } from 'eta/core'
import { LRUCache } from 'lru-cache'

import { messageOf, ServiceError } from '../domain/errors.ts'
import { placeInTemplate } from './template-place.ts'
import { ThemeError } from './theme-error.ts'
import type { ThemeFile, ThemeFiles } from './theme-files.ts'

/** Themes share most templates, and a watched theme changes one at a time: by path and text, in code that knows no theme. */
const compiled = new LRUCache<string, CompiledTemplate>({ max: 500 })

interface CompiledTemplate {
  readonly render: TemplateFunction
  /** What it was compiled to; its lines are those that errors name. */
  readonly code: string
}

/**
 * Turns data into text with the template of this name, e.g. `layouts/page`.
 *
 * @throws {ThemeError} naming the place in the template, when its code fails.
 */
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
  const codes = new Map<string, string>()
  for (const file of files.values()) {
    refuseUnknownIncludes(file, files)
    const { render, code } = remembered(eta, file)
    eta.templatesSync.define(file.path, render)
    codes.set(file.path, code)
  }
  eta.RuntimeErr = (error, text, line, path) => tellFault(error, { path, text, line }, codes.get(path) ?? '')
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

function remembered(eta: Eta, file: ThemeFile): CompiledTemplate {
  const key = `${file.path}\n${file.text}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const template = compileTemplate(eta, file)
  compiled.set(key, template)
  return template
}

function compileTemplate(eta: Eta, { path, text }: ThemeFile): CompiledTemplate {
  const code = toCode(eta, { path, text })
  try {
    // Unlike `new Function`, this says in which line of the code the fault lies.
    return { render: compileFunction(code, ['it', 'options'], { filename: path }) as TemplateFunction, code }
  } catch (error) {
    const place = placeInTemplate(text, code, complainedOf(error))
    throw new ThemeError({ file: path, ...place, message: messageOf(error) }, { cause: error })
  }
}

function toCode(eta: Eta, { path, text }: ThemeFile): string {
  try {
    return eta.compileToString(text)
  } catch (error) {
    const told = /^(.*) at line (\d+) col (\d+)/.exec(messageOf(error))
    const [message = '', line = null, column = null] = told?.slice(1) ?? [messageOf(error)]
    const place = {
      line: line === null ? null : Number(line),
      column: column === null ? null : Number(column),
    }
    throw new ThemeError({ file: path, ...place, message }, { cause: error })
  }
}

/** The line and column of the code that the compiler shows with a caret. */
function complainedOf(error: unknown): { line: number; column: number } | null {
  const shown = /:(\d+)\n.*\n( *)\^/.exec(stackOf(error))
  return shown === null ? null : { line: Number(shown[1]), column: (shown[2] ?? '').length + 1 }
}

/** @throws {ThemeError} with the place at which the code of a template failed; that of an included one is told already. */
function tellFault(error: unknown, at: { path: string; text: string; line: number }, code: string): never {
  // What is refused while a template renders is no fault of the template.
  if (error instanceof ThemeError || error instanceof ServiceError) throw error
  const { path, text, line } = at
  const frame = stackOf(error)
    .split('\n')
    .map((frame) => (frame.includes(path) ? /:(\d+):(\d+)\)?$/.exec(frame) : null))
    .find((found) => found !== null)
  const place =
    frame === undefined
      ? { line, column: null }
      : placeInTemplate(text, code, { line: Number(frame[1]), column: Number(frame[2]) })
  throw new ThemeError({ file: path, ...place, message: messageOf(error) }, { cause: error })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function unknownTemplate(name: string): never {
  throw new ThemeError({ file: name, line: null, message: 'There is no such template.' })
}
