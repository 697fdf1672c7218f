import type { SectionView } from '../../theme/view.ts'

/** Props of one section type, and its default alignment. */
export interface TypeView {
  readonly props: SectionView['props']
  readonly align: SectionView['align']
}
