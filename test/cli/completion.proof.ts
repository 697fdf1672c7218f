import { execFileSync, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quoin = (...args: string[]) => startCommand(args).ended
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

async function scriptFile(shell: string): Promise<string> {
  const { code, out, err } = await quoin('completion', shell)
  expect([code, err]).toEqual([0, ''])
  const file = join(await temporaryFolder(), shell)
  await writeFile(file, out)
  return file
}

describe('quoin completion', () => {
  test.runIf(isInstalled('bash'))('bash completes commands, subcommands, flags and values', async () => {
    const script = await scriptFile('bash')
    /** The completions for the last of these words. */
    const offered = (...words: string[]) =>
      execFileSync('bash', [
        '-c',
        `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quoin; echo "\${COMPREPLY[*]}"`,
        'bash',
        script,
        ...words,
      ])
        .toString()
        .trim()
        .split(' ')
    expect(offered('quoin', 'd')).toEqual(expect.arrayContaining(['deploy', 'decrypt', 'demo']))
    expect(offered('quoin', 'keys', '')).toEqual(['create', 'list', 'revoke', 'rotate-master'])
    expect(offered('quoin', 'keys', 'create', '--pl')).toEqual(['--plan'])
    expect(offered('quoin', 'theme', '')).toEqual(['new', 'check'])
    expect(offered('quoin', 'theme', 'new', '--ex')).toEqual(['--extends'])
    expect(offered('quoin', 'build', './site', '--d')).toEqual(['--drafts', '--data-mode'])
    expect(offered('quoin', 'completion', 'f')).toEqual(['fish'])
    expect(offered('quoin', 'convert', './old', '--from', 'h')).toEqual(['hugo', 'hexo'])
    expect(offered('quoin', 'build', './site', '--theme', '')).toEqual(['dark', 'default', 'minimal'])
    // Bash itself completes files.
    expect(offered('quoin', 'build', 'x')).toEqual([''])
  })

  test.runIf(isInstalled('zsh'))('zsh accepts its script', async () => {
    expect(spawnSync('zsh', ['-n', await scriptFile('zsh')]).stderr.toString()).toBe('')
  })

  test.runIf(isInstalled('fish'))('fish accepts its script', async () => {
    expect(spawnSync('fish', ['-n', await scriptFile('fish')]).stderr.toString()).toBe('')
  })

  test.each(['bash', 'zsh', 'fish'])(
    'the script for %s contains every command of the help',
    async (shell) => {
      const { out: help } = await quoin('--help')
      const names = [...help.matchAll(/^ {2}([a-z-]+) .*/gm)].map(([, name = '']) => name)
      expect(names).toEqual(
        expect.arrayContaining(['serve', 'init', 'build', 'deploy', 'push', 'completion']),
      )
      const { out: script } = await quoin('completion', shell)
      for (const name of names.filter((name) => !['help', 'quoin'].includes(name)))
        expect(script).toContain(name)
    },
  )

  test('an unknown shell is wrong usage', async () => {
    const { code, err } = await quoin('completion', 'tcsh')
    expect(code).toBe(2)
    expect(err).toMatch(/Allowed choices are bash, zsh, fish\.\n$/)
  })
})
