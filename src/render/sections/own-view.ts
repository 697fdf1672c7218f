import type { SectionView } from '../../theme/view.ts'

/** A type's own props, and how it stands when its author does not say. */
export interface OwnView {
  readonly props: SectionView['props']
  readonly align: SectionView['align']
}
