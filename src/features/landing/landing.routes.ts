import type { OverviewSource } from '#features/landing/overview.routes.ts'
import type { Site } from '#features/landing/site.rules.ts'
import type { SharedPage } from '#server/http/shared-pages.ts'

/** The pages of visitors that are the same for everybody. */
export function landingPages(figures: OverviewSource, site: Site): SharedPage[] {
  return [
    {
      path: '/',
      load: async () => ({ view: 'home', props: { figures: await figures(), site } }),
    },
  ]
}
