import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

const read = (file: string) => readFileSync(join(PACKAGE_ROOT, file), 'utf8')
const { dependencies, optionalDependencies, peerDependencies, devDependencies } = JSON.parse(
  read('package.json'),
)
const installed = Object.keys({ ...dependencies, ...optionalDependencies })
const found = readdirSync(join(PACKAGE_ROOT, 'dist'))
  .filter((name) => /^[\w.-]+\.c?js$/.test(name))
  .map((name) => ({ file: `dist/${name}`, ...namesIn(read(`dist/${name}`), name.endsWith('.cjs')) }))

test('every package that the compiled commands load is one that an installation has', () => {
  const known = new Set([...installed, ...Object.keys(peerDependencies), ...nativeParsers()])
  const lacking = found.flatMap(({ file, loaded }) =>
    [...loaded].filter((name) => !known.has(name)).map((name) => `${file} loads ${name}`),
  )
  expect(lacking).toEqual([])
  expect(found.flatMap(({ loaded }) => [...loaded])).toEqual(
    expect.arrayContaining(['knex', 'lightningcss', 'nodemailer', 'pg', 'sqlite3']),
  )
})

test('every package that an installation has is named by a compiled command', () => {
  const named = new Set(found.flatMap(({ texts }) => [...texts].map(packageOf)))
  expect(installed.filter((name) => !named.has(name))).toEqual([])
})

test('the bundled part of Shiki is of the version of its installed parts', () => {
  const { shiki } = devDependencies
  const parts = Object.entries(dependencies).filter(([name]) => name.startsWith('@shikijs/'))
  expect(parts.map(([, version]) => version)).toEqual([shiki, shiki])
})

/** The binaries of the Markdown parser, one for each platform, which its package brings. */
function nativeParsers(): readonly string[] {
  return Object.keys(JSON.parse(read('node_modules/satteri/package.json')).optionalDependencies)
}

interface Node {
  readonly type?: string
  readonly [key: string]: unknown
}

/** Packages that a module imports, requires or resolves by a name in its text, and all its texts. */
function namesIn(
  code: string,
  isScript: boolean,
): { readonly loaded: ReadonlySet<string>; readonly texts: ReadonlySet<string> } {
  const loaded = new Set<string>()
  const texts = new Set<string>()
  const load = (source: unknown) => {
    const { value } = (source ?? {}) as { readonly value?: unknown }
    // The build program is given modules of `src/` under their paths.
    if (typeof value !== 'string' || /^(\.|node:)|\.ts$/.test(value) || isBuiltin(value)) return
    loaded.add(packageOf(value))
  }
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    // An array has no type.
    const node = value as Node
    if (node.type === 'Literal' && typeof node['value'] === 'string') texts.add(node['value'])
    if (/^(Import|Export)\w+$/.test(node.type ?? '')) load(node['source'])
    if (node.type === 'CallExpression' && isLoader(node['callee'] as Node, isScript))
      load((node['arguments'] as readonly unknown[])[0])
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { sourceType: isScript ? 'script' : 'module' }))
  return { loaded, texts }
}

/** `require`, `createRequire(…)`, `import.meta.resolve`, and `load` of the build program, which stands for `import`. */
function isLoader(callee: Node, isScript: boolean): boolean {
  if (callee.type === 'Identifier')
    return ['require', '__require', ...(isScript ? ['load'] : [])].includes(callee['name'] as string)
  if (callee.type === 'CallExpression') return (callee['callee'] as Node)['name'] === 'createRequire'
  return callee.type === 'MemberExpression' && (callee['object'] as Node).type === 'MetaProperty'
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
