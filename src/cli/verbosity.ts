import { Option } from 'commander'

/** The verbosity of a command about success. Warnings and errors are always printed. */
export interface Verbosity {
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export function quietOption(): Option {
  return new Option('-q, --quiet', 'print warnings and errors only')
}

export function verboseOption(): Option {
  return new Option('-v, --verbose', 'print every step').conflicts('quiet')
}
