import { compileFunction } from 'node:vm'

import { Eta, type Options, type TemplateFunction } from 'eta/core'
import { LRUCache } from 'lru-cache'

import { messageOf, ServiceError } from '../domain/errors.ts'
import { placeInTemplate, type TemplatePlace } from './template-place.ts'
import { ThemeError } from './theme-error.ts'
import type { ThemeFile, ThemeFiles } from './theme-files.ts'
import { withinTime } from './time-limit.ts'

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

/** Looks on while templates render. */
export interface TemplateWatch {
  /** What a template is given instead of its data. @param lineOf finds the template, and its line, that runs in an error's stack. */
  data(data: object, lineOf: LineOf): object
  /** What the code of every template finds in `options`, besides what is always there. */
  readonly options: object
}

export type LineOf = (error: Error) => { readonly file: string; readonly line: number } | null

/**
 * Compile all templates at once, so that nothing is read from disk afterwards and a broken one shows at load.
 *
 * @throws {ThemeError} for the first template that does not compile or includes one that is not there.
 */
export function compileTemplates(files: ThemeFiles, watch: TemplateWatch | null = null): RenderTemplate {
  return compiledTemplates(files, watch, atOnce)
}

function atOnce(compile: Compile): Compile {
  const template = compile()
  return () => template
}

/** Of one document; the dearest take a hundredth. */
const LONGEST_MS = 5_000

/**
 * As `compileTemplates`, for templates that are still being written: one that does not come to its end is told
 * of, and nothing waits for it again.
 */
export function compileLimited(files: ThemeFiles, watch: TemplateWatch | null = null): RenderTemplate {
  const running: string[] = []
  const render = compiledTemplates(files, watch, atOnce, running)
  let stuck: ThemeError | null = null
  return (name, data) => {
    if (stuck !== null) throw stuck
    running.length = 0
    const made = withinTime(LONGEST_MS, () => render(name, data))
    if (made !== null) return made.value
    stuck = new ThemeError({
      file: running.at(-1) ?? '',
      line: null,
      message: `It did not come to its end within ${LONGEST_MS / 1000} s: is there a loop without one?`,
    })
    throw stuck
  }
}

/** Compile each template when it is first used: for templates that were compiled before, as they are. */
export function compileAsUsed(files: ThemeFiles): RenderTemplate {
  return compiledTemplates(files, null, (compile) => {
    let template: CompiledTemplate | null = null
    return () => {
      template ??= compile()
      return template
    }
  })
}

type Compile = () => CompiledTemplate

/**
 * @param due when to compile: gives what gives the compiled template.
 * @param running is told which templates run, the innermost last; null tells nobody.
 */
function compiledTemplates(
  files: ThemeFiles,
  watch: TemplateWatch | null,
  due: (compile: Compile) => Compile,
  running: string[] | null = null,
): RenderTemplate {
  const eta = newEta()
  const templates = new Map<string, { readonly text: string; readonly compiled: Compile }>()
  const byName = new Map<
    string,
    { readonly options: Options & { filepath: string }; readonly render: TemplateFunction }
  >()
  for (const [name, file] of files) {
    const compiled = due(() => {
      refuseUnknownIncludes(file, files)
      return remembered(eta, file)
    })
    const plain: TemplateFunction = function (data, options) {
      return compiled().render.call(this, data, options)
    }
    const render = running === null ? plain : telling(plain, file.path, running)
    byName.set(name.replace(/\.eta$/, ''), {
      // Eta's types know of no further ones.
      options: { ...watch?.options, filepath: file.path },
      render: watch === null ? render : watched(render, watch, lineOf),
    })
    templates.set(file.path, { text: file.text, compiled })
  }
  eta.RuntimeErr = (error, text, line, path) =>
    tellFault(error, { path, text, line }, templates.get(path)?.compiled().code ?? '')
  // Of templates that are all there: Eta would make a path of each name, and look for that, at every include.
  eta.render = (name, data) => {
    const { options, render } = byName.get(String(name)) ?? unknownTemplate(String(name))
    return render.call(eta, data, options)
  }
  return (name, data) => eta.render(name, data)

  function lineOf(error: Error): ReturnType<LineOf> {
    for (const frame of stackOf(error).split('\n')) {
      if (OF_ETA.test(frame)) continue
      const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame) ?? []
      const file = [...templates.keys()].find((path) => frame.includes(`${path}:${line}:`))
      const template = file === undefined ? undefined : templates.get(file)
      if (file === undefined || template === undefined) continue
      const at = { line: Number(line), column: Number(column) }
      return { file, line: placeInTemplate(template.text, template.compiled().code, at).line }
    }
    return null
  }
}

/** Every fault that compiling finds, of all templates. */
export function templateFaults(files: ThemeFiles): readonly ThemeError[] {
  const eta = newEta()
  return [...files.values()].flatMap((file) => {
    try {
      refuseUnknownIncludes(file, files)
      remembered(eta, file)
      return []
    } catch (error) {
      if (error instanceof ThemeError) return [error]
      throw error
    }
  })
}

function newEta(): Eta {
  return new Eta({
    autoEscape: true,
    // Makes an error while rendering name its file and line; it costs an assignment per tag.
    debug: true,
    plugins: [{ processAST: withoutIndentation }],
  })
}

function telling(render: TemplateFunction, path: string, running: string[]): TemplateFunction {
  return function (data, options) {
    running.push(path)
    const text = render.call(this, data, options)
    running.pop()
    return text
  }
}

function watched(render: TemplateFunction, watch: TemplateWatch, lineOf: LineOf): TemplateFunction {
  return function (data = {}, options) {
    return render.call(this, watch.data(data, lineOf), options)
  }
}

/** Indentation helps who reads a template, not who downloads the page. */
function withoutIndentation<Node>(nodes: Node[]): Node[] {
  // Eta has written each line break of the text as the two characters `\n` by now.
  return nodes.map((node) =>
    typeof node === 'string' ? node.replace(/(?:\\n\s*)+/g, '\\n') : node,
  ) as Node[]
}

/** The name of a template that is included, or laid around, where it is written out. */
export const INCLUDES = /\b(?:include|layout)\(\s*['"]([^'"]+)['"]\s*[,)]/g

function refuseUnknownIncludes({ path, text }: ThemeFile, files: ThemeFiles): void {
  for (const match of text.matchAll(INCLUDES)) {
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
    const complaint = { ...placeInTemplate(text, code, complainedOf(error)), message: messageOf(error) }
    const fault = unclosedTag(text) ?? unclosedBlock(text, complaint.message) ?? complaint
    throw new ThemeError({ file: path, ...fault }, { cause: error })
  }
}

type PlacedFault = TemplatePlace & { readonly message: string }

/** What follows a tag that is not closed becomes a part of it, and is complained of in words about that. */
function unclosedTag(text: string): PlacedFault | null {
  const found = /<%(?:(?!%>)[\s\S])*?<%/.exec(text)
  return found === null ? null : faultAt(text, found.index, 'This tag is not closed: %> is missing.')
}

/** The compiler meets the end of what Eta has put around a template before that of the block. */
function unclosedBlock(text: string, message: string): PlacedFault | null {
  if (!message.includes("Unexpected token 'catch'")) return null
  const opened: number[] = []
  for (const { 0: tag, index } of text.matchAll(/<%[\s\S]*?%>/g)) {
    for (const { 0: brace, index: at } of tag.matchAll(/[{}]/g)) {
      if (brace === '{') opened.push(index + at)
      else opened.pop()
    }
  }
  const last = opened.at(-1)
  return last === undefined ? null : faultAt(text, last, 'The block that is opened here is not closed.')
}

function faultAt(text: string, index: number, message: string): PlacedFault {
  return { line: lineAt(text, index), column: index - text.lastIndexOf('\n', index - 1), message }
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

/** What Eta puts in front of the code of each template, and what that calls. */
const OF_ETA = /^\s*at (include|layout|block|capture) /

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
    .map((frame) => (frame.includes(path) && !OF_ETA.test(frame) ? /:(\d+):(\d+)\)?$/.exec(frame) : null))
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

/** Said of the template that includes it, at its place. */
function unknownTemplate(name: string): never {
  throw new Error(`There is no template ${name}.`)
}
