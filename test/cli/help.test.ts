import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/main.ts'

/** Commands whose output is a script, a schema or JSON already, and servers that print a line when they are ready. */
const WITHOUT_JSON = ['serve', 'worker', 'dev', 'demo', 'schema', 'decrypt', 'completion']

const program = await createProgram()
const commands = allCommands(program, '')

describe.each(commands)('quoin $path', ({ path, command }) => {
  test('has a help text with an example of itself', () => {
    expect(helpOf(command)).toMatch(new RegExp(`\\nExamples?:\\n(?:  .*\\n)*  .*quoin ${path}`))
  })

  test('has a description, and so have its flags and arguments', () => {
    const described = [command, ...command.options, ...command.registeredArguments]
    const descriptions = described.map((each) =>
      typeof each.description === 'string' ? each.description : each.description(),
    )
    expect(descriptions.filter((text) => text === '' || /^[A-Z][a-z]|\.$/.test(text))).toEqual([])
  })

  test.runIf(command.commands.length === 0 && !WITHOUT_JSON.includes(path))('prints JSON with --json', () => {
    expect(command.options.map(({ long }) => long)).toContain('--json')
  })
})

test('every command is found', () => {
  expect(commands.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['', 'serve', 'convert', 'keys rotate-master', 'theme new', 'webhooks listen']),
  )
})

test('the commands are listed by what they are for, the help of each command among them', () => {
  const listed = helpOf(program).split(/\n(?=\S.*:\n)/)
  const headings = listed.map((part) => part.split('\n', 1)[0])
  const uses = ['Write and build a site:', 'Publish a site:', 'Run a service:', 'Manage a service:', 'More:']
  expect(headings).toEqual(expect.arrayContaining(uses))
  expect(headings).not.toContain('Commands:')
  expect(listed[headings.indexOf('More:')]).toMatch(/^ {2}help /m)
})

/** The command and all of its subcommands, with their paths, e.g. `keys create`. */
function allCommands(
  command: Command,
  path: string,
): readonly { readonly path: string; readonly command: Command }[] {
  const inner = command.commands.flatMap((each) => allCommands(each, `${path} ${each.name()}`.trim()))
  return [{ path, command }, ...inner]
}

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}
