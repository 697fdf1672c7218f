import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

const PROGRAM = fileURLToPath(
  new URL('../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url),
)

interface Message {
  readonly id?: number
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly result?: any
}

export interface Position {
  readonly line: number
  readonly character: number
}

/** The language server of the extension that VS Code uses for YAML, with a folder open. */
export interface YamlEditor {
  /** Opens a file with a text. @returns the messages of its errors. */
  errorsIn(file: string, text: string): Promise<readonly string[]>
  /** What is offered at a position of a file with this text. */
  completionsIn(file: string, text: string, position: Position): Promise<readonly string[]>
  /** The explanation of what is at a position. */
  hoverIn(file: string, text: string, position: Position): Promise<string>
}

/** Starts the language server until the test ends, with the settings that the folder has for VS Code. */
export async function startYamlEditor(folder: string): Promise<YamlEditor> {
  const settings = JSON.parse(await readFile(join(folder, '.vscode/settings.json'), 'utf8'))
  const child = spawn(process.execPath, [PROGRAM, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answers = new Map<number, (result: unknown) => void>()
  const errors = new Map<string, (messages: readonly string[]) => void>()
  const versions = new Map<string, number>()
  let last = 0
  let received = Buffer.alloc(0)

  child.stdout.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (;;) {
      const [head, length] =
        /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(received.toString('latin1')) ?? []
      if (head === undefined || received.length < head.length + Number(length)) return
      const body = received.subarray(head.length, head.length + Number(length))
      received = received.subarray(head.length + Number(length))
      receive(JSON.parse(body.toString()))
    }
  })

  const workspace = pathToFileURL(folder).href
  await request('initialize', {
    processId: process.pid,
    rootUri: workspace,
    workspaceFolders: [{ uri: workspace, name: 'site' }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
  })
  send({ method: 'initialized', params: {} })

  return {
    errorsIn,
    async completionsIn(file, text, position) {
      await errorsIn(file, text)
      const found = await request('textDocument/completion', { textDocument: { uri: uriOf(file) }, position })
      return (found.items ?? found).map(({ label }: { label: string }) => label)
    },
    async hoverIn(file, text, position) {
      await errorsIn(file, text)
      const found = await request('textDocument/hover', { textDocument: { uri: uriOf(file) }, position })
      return found?.contents?.value ?? ''
    },
  }

  function errorsIn(file: string, text: string): Promise<readonly string[]> {
    const uri = uriOf(file)
    const found = new Promise<readonly string[]>((resolve) => errors.set(uri, resolve))
    const version = (versions.get(uri) ?? 0) + 1
    versions.set(uri, version)
    if (version === 1)
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'yaml', version, text } },
      })
    else
      send({
        method: 'textDocument/didChange',
        params: { textDocument: { uri, version }, contentChanges: [{ text }] },
      })
    return found
  }

  function uriOf(file: string): string {
    return pathToFileURL(join(folder, file)).href
  }

  function receive({ id, method, params, result }: Message): void {
    if (method === 'workspace/configuration')
      send({ id, result: params.items.map(({ section }: { section: string }) => sectionOf(section)) })
    else if (method === 'textDocument/publishDiagnostics')
      errors.get(params.uri)?.(params.diagnostics.map(({ message }: { message: string }) => message))
    else if (method !== undefined && id !== undefined) send({ id, result: null })
    else if (id !== undefined) answers.get(id)?.(result)
  }

  /** The settings of a section, as VS Code sends them: `yaml.schemas` is `schemas` of `yaml`. */
  function sectionOf(section: string): unknown {
    const entries = Object.entries(settings).filter(([name]) => name.startsWith(`${section}.`))
    return Object.fromEntries(entries.map(([name, value]) => [name.slice(section.length + 1), value]))
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  function request(method: string, params: object): Promise<any> {
    const id = ++last
    const answered = new Promise((resolve) => answers.set(id, resolve))
    send({ id, method, params })
    return answered
  }

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}
