import { Command } from 'commander'
import type { Finding } from '../app/doctor/finding.ts'
import { ServiceError } from '../domain/errors.ts'
import { print } from './administration.ts'
import { count } from './format-numbers.ts'
import { configOf, withSettings } from './settings.ts'

interface DoctorFlags {
  readonly network: boolean
  readonly json: boolean
}

export function doctorCommand(): Command {
  return withSettings(new Command('doctor'))
    .description('examine an installation and its machine, with a remedy for each fault')
    .option('--no-network', 'ask no other machine: no names, no certificates, no answer of the service')
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Run it as the user and with the settings of the service; a server may be running. It changes nothing.
Exits with 1 when something does not work. Warnings leave the exit code at 0.

Example:
  quoin doctor --data /var/lib/quoin --base-url https://sites.example.com
`,
    )
    .action(async ({ network, json }: DoctorFlags, command: Command) => {
      const { examine } = await import('../app/doctor/doctor.ts')
      const findings: Finding[] = []
      for await (const finding of examine(configOf(command), { network })) {
        findings.push(finding)
        if (!json) console.log(linesOf(finding))
      }
      const errors = findings.filter(({ level }) => level === 'error').length
      const warnings = findings.filter(({ level }) => level === 'warning').length
      print(command, { ok: errors === 0, findings }, [
        `${count(errors, 'error')}, ${count(warnings, 'warning')}.`,
      ])
      if (errors > 0) throw new ServiceError('conflict', 'The installation needs attention.')
    })
}

function linesOf({ check, level, message, remedy }: Finding): string {
  const line = `${level.padEnd(8)} ${check.padEnd(12)} ${message}`
  return remedy === null ? line : `${line}\n${' '.repeat(22)}${remedy}`
}
