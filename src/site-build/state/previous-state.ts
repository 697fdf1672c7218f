import type { Storage } from '../../storage/storage.ts'
import { type BuildState, readState, recoverState } from './build-state.ts'
import type { BuiltFile } from './built-page.ts'

/** The trusted part of the previous build's output. */
export interface PreviousState {
  /** The previous state; its `files` lists only files that are unchanged on disk. */
  readonly state: BuildState
  /** False if all pages must be rendered: after another version of Quoin, or after an aborted build. */
  readonly isWhole: boolean
  /** Every key that a build may have written, with its owner if known. */
  readonly own: BuildState['files']
  /** Keys of existing files that no build wrote. */
  readonly foreign: ReadonlySet<string>
  /** Digest of the stored state; null before the first build. */
  readonly digest: string | null
  /** True if the folder is known to be unchanged since the previous build. */
  readonly isUnchanged: boolean
  /** True if the state cannot be read. Partly written files then count as files of the build. */
  readonly isLost: boolean
}

/** A state that cannot be read. */
export interface LostState {
  /** The file that could not be read. */
  readonly file: string
  /** Keys of files that the record of the previous build names. */
  readonly recorded: () => readonly string[]
}

/** Notes of the previous build about the output folder. Valid while no name in it changes. */
export interface FolderNotes {
  /** Digest of its state. */
  readonly state: string | null
  /** Keys of files that no build wrote. */
  readonly foreign: readonly string[]
}

const UNKNOWN: BuiltFile = { owner: null, digest: '' }

/**
 * @param damaged keys of its files that are known to be damaged; null for any.
 * @param lostState set when its state cannot be read.
 */
export async function previousState(
  out: string,
  contentKey: Uint8Array | null,
  { engine, storage }: { readonly engine: string; readonly storage: Pick<Storage, 'list'> },
  left: FolderNotes | null,
  damaged: readonly string[] | null = [],
  lostState: LostState | null = null,
): Promise<PreviousState> {
  const {
    state,
    uncertain: doubtful,
    unreadable: unread,
    digest,
  } = await (lostState === null ? readState(out, contentKey) : recoverState(out, lostState.recorded()))
  const isAsLeft = left !== null && left.state === digest && doubtful.length === 0 && state.engine === engine
  if (isAsLeft)
    return {
      state,
      isWhole: true,
      own: state.files,
      foreign: new Set(left.foreign),
      digest,
      isUnchanged: isAsLeft,
      isLost: false,
    }

  const there = new Set(await storage.list(''))
  const known = lostState === null ? unread : unread.filter((key) => there.has(key))
  const unowned = [...doubtful, ...known].filter((key) => !state.files.has(key))
  const own = state.files.with(unowned.map((key) => [key, UNKNOWN]))
  const owned = new Set(own.keys())
  const lost = [...state.files.keys()].filter((key) => !there.has(key))
  const broken = damaged === null ? state.files.keys() : damaged.filter((key) => state.files.has(key))
  const untrusted = new Set([...doubtful, ...lost, ...broken])
  return {
    state: { ...state, files: state.files.with([...untrusted].map((key) => [key, null])) },
    isWhole: state.engine === engine && untrusted.size === 0,
    own,
    foreign: new Set([...there].filter((key) => !owned.has(key))),
    digest,
    isUnchanged: isAsLeft,
    isLost: lostState !== null,
  }
}
