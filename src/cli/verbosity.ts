import { Option } from 'commander'

/** How much a command says of what goes well; troubles are always told. */
export interface Verbosity {
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export function quietOption(): Option {
  return new Option('-q, --quiet', 'say nothing of what goes well')
}

export function verboseOption(): Option {
  return new Option('-v, --verbose', 'name everything that is done').conflicts('quiet')
}
