import { compileFunction } from 'node:vm'

import { Eta, type Options, type TemplateFunction } from 'eta/core'
import { LRUCache } from 'lru-cache'

import { messageOf, ServiceError } from '../domain/errors.ts'
import { positionInTemplate, type TemplatePosition } from './template-position.ts'
import { ThemeError } from './theme-error.ts'
import type { ThemeFile, ThemeFiles } from './theme-files.ts'
import { withinTime } from './time-limit.ts'

/**
 * Cache by path and text. Themes share most templates, and during `quoin dev` one template changes at a time.
 * Compiled code refers to no theme.
 */
const compiledCache = new LRUCache<string, CompiledTemplate>({ max: 500 })

interface CompiledTemplate {
  readonly render: TemplateFunction
  /** The compiled code, to whose lines stack traces refer. */
  readonly code: string
}

/**
 * Renders data with the named template, e.g. `layouts/page`.
 *
 * @throws {ThemeError} with the position in the template, when its code fails.
 */
export type RenderTemplate = (name: string, data: object) => string

/** Observes templates while they render. */
export interface TemplateWatch {
  /**
   * Returns the data to pass to a template in place of the given data.
   *
   * @param lineOf maps an error's stack to the template, and the line in it, that is running.
   */
  data(data: object, lineOf: LineOf): object
  /** Additional values that template code finds in `options`. */
  readonly options: object
}

export type LineOf = (error: Error) => { readonly file: string; readonly line: number } | null

/**
 * Compiles all templates immediately, so that rendering reads no files and broken templates fail at load.
 *
 * @throws {ThemeError} for the first template that does not compile or includes an unknown one.
 */
export function compileTemplates(files: ThemeFiles, watch: TemplateWatch | null = null): RenderTemplate {
  return compiledTemplates(files, watch, immediately)
}

function immediately(compile: Compile): Compile {
  const template = compile()
  return () => template
}

/** Time limit per document. The slowest documents take a hundredth of it. */
const TIME_LIMIT_MS = 5_000

/**
 * Compiles as `compileTemplates` does, for templates that are being edited. A template that exceeds the time limit
 * causes an error, and later calls fail with it immediately.
 */
export function compileLimited(files: ThemeFiles, watch: TemplateWatch | null = null): RenderTemplate {
  const running: string[] = []
  const render = compiledTemplates(files, watch, immediately, running)
  let stuck: ThemeError | null = null
  return (name, data) => {
    if (stuck !== null) throw stuck
    running.length = 0
    const made = withinTime(TIME_LIMIT_MS, () => render(name, data))
    if (made !== null) return made.value
    stuck = new ThemeError({
      file: running.at(-1) ?? '',
      line: null,
      message: `The template did not finish within ${TIME_LIMIT_MS / 1000} s. Does it contain an endless loop?`,
    })
    throw stuck
  }
}

/** Compiles each template on first use. For templates that are known to compile. */
export function compileOnUse(files: ThemeFiles): RenderTemplate {
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
 * @param due decides when to compile: maps a compile function to one that returns the compiled template.
 * @param running stack of the paths of running templates, innermost last; null to not record them.
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
      return compileCached(eta, file)
    })
    const plain: TemplateFunction = function (data, options) {
      return compiled().render.call(this, data, options)
    }
    const render = running === null ? plain : recordRunning(plain, file.path, running)
    byName.set(name.replace(/\.eta$/, ''), {
      // Eta's types do not allow further options.
      options: { ...watch?.options, filepath: file.path },
      render: watch === null ? render : withWatch(render, watch, lineOf),
    })
    templates.set(file.path, { text: file.text, compiled })
  }
  eta.RuntimeErr = (error, text, line, path) =>
    throwThemeError(error, { path, text, line }, templates.get(path)?.compiled().code ?? '')
  // All templates are in memory. Eta would resolve each name to a path at every include.
  eta.render = (name, data) => {
    const { options, render } = byName.get(String(name)) ?? throwUnknownTemplate(String(name))
    return render.call(eta, data, options)
  }
  return (name, data) => eta.render(name, data)

  function lineOf(error: Error): ReturnType<LineOf> {
    for (const frame of stackOf(error).split('\n')) {
      if (ETA_FRAME.test(frame)) continue
      const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame) ?? []
      const file = [...templates.keys()].find((path) => frame.includes(`${path}:${line}:`))
      const template = file === undefined ? undefined : templates.get(file)
      if (file === undefined || template === undefined) continue
      const at = { line: Number(line), column: Number(column) }
      return { file, line: positionInTemplate(template.text, template.compiled().code, at).line }
    }
    return null
  }
}

/** Compile errors of all templates. */
export function templateErrors(files: ThemeFiles): readonly ThemeError[] {
  const eta = newEta()
  return [...files.values()].flatMap((file) => {
    try {
      refuseUnknownIncludes(file, files)
      compileCached(eta, file)
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
    // Lets render errors name file and line, at the cost of one assignment per tag.
    debug: true,
    plugins: [{ processAST: withoutIndentation }],
  })
}

function recordRunning(render: TemplateFunction, path: string, running: string[]): TemplateFunction {
  return function (data, options) {
    running.push(path)
    const text = render.call(this, data, options)
    running.pop()
    return text
  }
}

function withWatch(render: TemplateFunction, watch: TemplateWatch, lineOf: LineOf): TemplateFunction {
  return function (data = {}, options) {
    return render.call(this, watch.data(data, lineOf), options)
  }
}

/** Indentation is for authors of templates and would only enlarge pages. */
function withoutIndentation<Node>(nodes: Node[]): Node[] {
  // Eta has replaced line breaks in text with the two characters `
  // ` already.
  return nodes.map((node) =>
    typeof node === 'string' ? node.replace(/(?:\\n\s*)+/g, '\\n') : node,
  ) as Node[]
}

/** Matches `include` and `layout` calls with a literal template name. */
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

function compileCached(eta: Eta, file: ThemeFile): CompiledTemplate {
  const key = `${file.path}\n${file.text}`
  const known = compiledCache.get(key)
  if (known !== undefined) return known
  const template = compileTemplate(eta, file)
  compiledCache.set(key, template)
  return template
}

function compileTemplate(eta: Eta, { path, text }: ThemeFile): CompiledTemplate {
  const code = toCode(eta, { path, text })
  try {
    // Unlike `new Function`, it reports the line of a syntax error.
    return { render: compileFunction(code, ['it', 'options'], { filename: path }) as TemplateFunction, code }
  } catch (error) {
    const complaint = {
      ...positionInTemplate(text, code, syntaxErrorPosition(error)),
      message: messageOf(error),
    }
    const fault = unclosedTag(text) ?? unclosedBlock(text, complaint.message) ?? complaint
    throw new ThemeError({ file: path, ...fault }, { cause: error })
  }
}

type TemplateDiagnostic = TemplatePosition & { readonly message: string }

/** An unclosed tag absorbs the following text, so the compiler's error is misleading. */
function unclosedTag(text: string): TemplateDiagnostic | null {
  const found = /<%(?:(?!%>)[\s\S])*?<%/.exec(text)
  return found === null ? null : diagnosticAt(text, found.index, 'This tag is not closed: %> is missing.')
}

/** In an unclosed block the compiler finds the end of Eta's wrapper instead of the block's end. */
function unclosedBlock(text: string, message: string): TemplateDiagnostic | null {
  if (!message.includes("Unexpected token 'catch'")) return null
  const opened: number[] = []
  for (const { 0: tag, index } of text.matchAll(/<%[\s\S]*?%>/g)) {
    for (const { 0: brace, index: at } of tag.matchAll(/[{}]/g)) {
      if (brace === '{') opened.push(index + at)
      else opened.pop()
    }
  }
  const last = opened.at(-1)
  return last === undefined ? null : diagnosticAt(text, last, 'The block that is opened here is not closed.')
}

function diagnosticAt(text: string, index: number, message: string): TemplateDiagnostic {
  return { line: lineAt(text, index), column: index - text.lastIndexOf('\n', index - 1), message }
}

function toCode(eta: Eta, { path, text }: ThemeFile): string {
  try {
    return eta.compileToString(text)
  } catch (error) {
    const located = /^(.*) at line (\d+) col (\d+)/.exec(messageOf(error))
    const [message = '', line = null, column = null] = located?.slice(1) ?? [messageOf(error)]
    const place = {
      line: line === null ? null : Number(line),
      column: column === null ? null : Number(column),
    }
    throw new ThemeError({ file: path, ...place, message }, { cause: error })
  }
}

/** Stack frames of Eta's own functions. */
const ETA_FRAME = /^\s*at (include|layout|block|capture) /

/** Line and column in the code that the compiler marks with a caret. */
function syntaxErrorPosition(error: unknown): { line: number; column: number } | null {
  const shown = /:(\d+)\n.*\n( *)\^/.exec(stackOf(error))
  return shown === null ? null : { line: Number(shown[1]), column: (shown[2] ?? '').length + 1 }
}

/**
 * @throws {ThemeError} with the position at which the template's code failed. Errors of included templates
 *   already have theirs.
 */
function throwThemeError(
  error: unknown,
  at: { path: string; text: string; line: number },
  code: string,
): never {
  // Errors that Quoin raises on purpose are not errors of the template.
  if (error instanceof ThemeError || error instanceof ServiceError) throw error
  const { path, text, line } = at
  const frame = stackOf(error)
    .split('\n')
    .map((frame) => (frame.includes(path) && !ETA_FRAME.test(frame) ? /:(\d+):(\d+)\)?$/.exec(frame) : null))
    .find((found) => found !== null)
  const place =
    frame === undefined
      ? { line, column: null }
      : positionInTemplate(text, code, { line: Number(frame[1]), column: Number(frame[2]) })
  throw new ThemeError({ file: path, ...place, message: messageOf(error) }, { cause: error })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? '') : ''
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Thrown inside the including template, which gives the error its position. */
function throwUnknownTemplate(name: string): never {
  throw new Error(`There is no template ${name}.`)
}
