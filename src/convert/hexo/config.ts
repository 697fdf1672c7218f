import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'

/** Fields that the conversion reads. Source: https://hexo.io/docs/configuration. */
const CONVERTED = new Set(
  `title subtitle description keywords language url root permalink source_dir tag_dir category_dir default_category category_map
  tag_map feed theme theme_config skip_render exclude ignore include future render_drafts author`.split(
    /\s+/,
  ),
)
/** Fields that only control the build, or how lists are laid out. They are left out without a report. */
const BUILD_OPTIONS =
  /^(timezone|permalink_defaults|pretty_urls|public_dir|archive_dir|code_dir|i18n_dir|new_post_name|default_layout|titlecase|external_link|filename_case|post_asset_folder|relative_link|highlight|prismjs|syntax_highlighter|index_generator|archive_generator|category_generator|tag_generator|per_page|pagination_dir|order_by|meta_generator|date_format|time_format|updated_option|use_date_for_updated|deploy|marked|markdown|server|sitemap|search|symbols_count_time)$/

/** Reports the fields of the configuration without a counterpart. */
export function hexoConfigDiagnostics(config: JsonObject): readonly Diagnostic[] {
  const others = Object.keys(config).filter((name) => !CONVERTED.has(name) && !BUILD_OPTIONS.test(name))
  const leftOut = others.toSorted().map((name) => `\`${name}\``)
  return leftOut.length === 0
    ? []
    : [diagnostic('QN-NOT-CONVERTED', '_config.yml', `Left out: ${leftOut.join(', ')}.`)]
}
