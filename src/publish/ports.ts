import type { Renderer } from '../renderer/renderer.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import type { Storage } from '../storage/storage.ts'
import type { Ledger } from './ledger.ts'

/** What preparing a batch asks of the ledger; `build/` answers it from the folder it wrote. */
export type BatchLedger = Pick<
  Ledger,
  | 'liveSite'
  | 'liveFacts'
  | 'liveCards'
  | 'indexLines'
  | 'feedEntries'
  | 'objectsOfPages'
  | 'objectsOfKinds'
  | 'made'
  | 'kept'
  | 'contentKeys'
  | 'searchPages'
  | 'searchEntries'
  | 'searchBase'
  | 'slotsOf'
  | 'slotsGiven'
  | 'claimedBy'
  | 'objectsAt'
>

export interface PreparePorts {
  readonly ledger: BatchLedger
  readonly renderer: Renderer
  /** Opens the content keys of projects in Data Mode. */
  readonly masterKey: MasterKey
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export interface PublishPorts extends PreparePorts {
  readonly ledger: Ledger
  readonly storage: Storage
}
