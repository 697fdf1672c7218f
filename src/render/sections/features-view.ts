import { FEATURE_LAYOUTS } from '../../sections/features.ts'
import { choiceIn, numberIn } from '../../sections/values.ts'
import type { FeaturesProps } from '../../theme/view.ts'
import type { Rendering } from '../page/rendering.ts'
import { cardViews } from './card-views.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

const COLUMNS = [1, 2, 3, 4] as const

export function featuresView(placed: PlacedSection, rendering: Rendering): TypeView {
  const { section } = placed
  const props: FeaturesProps = {
    items: cardViews(placed, rendering),
    columns: COLUMNS.find((columns) => columns === numberIn(section.props, 'columns')) ?? 3,
    layout: choiceIn(section.props, 'layout', FEATURE_LAYOUTS) ?? 'grid',
  }
  return { props, align: 'left' }
}
