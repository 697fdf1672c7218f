import type { ComponentSchema } from '../domain/component.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { ThemeParts } from '../theme/create-theme.ts'
import { lineAt, type OwnFiles } from './own-files.ts'

/**
 * Reports errors in the text of a theme's own templates, also in branches that no page of the check reaches: code that
 * the content security policy blocks, and unchecked addresses of authors.
 */
export function checkTemplates(
  { templates, components }: ThemeParts,
  { names }: OwnFiles,
): readonly Diagnostic[] {
  return names.flatMap((name) => {
    const template = templates.get(name)
    if (template === undefined) return []
    const { path, text } = template
    const html = text.replace(CODE, (tag) => tag.replace(/[^\n]/g, '_'))
    const found = (pattern: RegExp, searched: string) => [...searched.matchAll(pattern)]
    const report = (code: 'QN-CONTENT-POLICY' | 'QN-UNCHECKED-LINK', index: number, message: string) =>
      diagnostic(code, path, message, { line: lineAt(text, index) })
    return [
      ...found(HANDLER, html).map(({ index, 0: attribute, 1: handler = '' }) =>
        report('QN-CONTENT-POLICY', index + attribute.length - 1, blockedHandler(handler.toLowerCase())),
      ),
      ...found(INLINE_SCRIPT, html).map(({ index }) => report('QN-CONTENT-POLICY', index, BLOCKED_SCRIPT)),
      ...found(SCRIPT_LINK, html).map(({ index }) => report('QN-CONTENT-POLICY', index, BLOCKED_LINK)),
      ...found(UNCHECKED, text).map(({ index, 1: value = '' }) =>
        report(
          'QN-UNCHECKED-LINK',
          index,
          `Nothing checked ${value.trim()}. Print it.href(${value.trim()}).`,
        ),
      ),
      ...found(UNTYPED, text).flatMap(({ index, 1: attribute = '' }) =>
        hasAddress(componentIn(name, components), attribute)
          ? []
          : report(
              'QN-UNCHECKED-LINK',
              index,
              `Nothing checked ${attribute} as an address. Give it the type url or image in the .yaml of the component.`,
            ),
      ),
      ...found(RAW, text).map(({ index, 1: value = '' }) =>
        diagnostic('QN-UNESCAPED', path, `${value.trim()} is text. Print it with <%= %>, not with <%~ %>.`, {
          line: lineAt(text, index),
        }),
      ),
    ]
  })
}

export function blockedHandler(name: string): string {
  return `The content security policy blocks ${name} attributes. Add a listener in script.js.`
}

export const BLOCKED_SCRIPT =
  'The content security policy blocks the code of <script> elements. Put it into script.js, or a file in assets/.'

const BLOCKED_LINK =
  'The content security policy blocks javascript: links. Use a button and a listener in script.js.'

function componentIn(template: string, components: ThemeParts['components']): ComponentSchema | undefined {
  return components.get(/^components\/(.+)\.eta$/.exec(template)?.[1] ?? '')
}

function hasAddress(component: ComponentSchema | undefined, attribute: string): boolean {
  const type = component?.attributes[attribute]?.type
  return component === undefined || type === 'url' || type === 'image'
}

/** A tag of the template language, and a comment. */
const CODE = /<%[\s\S]*?%>|<!--[\s\S]*?-->/g
const HANDLER = /<[a-z][^<>]*?\s(on[a-z]+)\s*=/gi
/** A script with code of its own that is no data. */
const INLINE_SCRIPT = /<script(?![^>]*\s(?:src|type\s*=\s*["']?[\w/+]*json))[^>]*>/gi
const SCRIPT_LINK = /\s(?:href|src|action|formaction)\s*=\s*["']?\s*javascript:/gi
/** An address that is taken from `config` or `data` and printed as written. */
const UNCHECKED =
  /\s(?:href|src|action|formaction|poster)\s*=\s*["']?<%[=~]((?:(?!%>|\b(?:href|asset)\()[\s\S])*\b(?:config|data)\b(?:(?!%>|\b(?:href|asset)\()[\s\S])*)%>/gi
/** An address that is an attribute of a component. */
const UNTYPED = /\s(?:href|src|action|formaction|poster)\s*=\s*["']?<%=\s*it\.attributes\.([\w-]+)/gi
/** A value of `config` or `data` alone that is printed without escaping. */
const RAW = /<%~\s*(it\.(?:page\.config|data)\b[\w.?[\]'"]*)\s*%>/g
