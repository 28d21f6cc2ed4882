import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demonstrationKey } from '#features/keys/keys.rules.ts'
import { isLiveKey } from '#features/keys/keys.sql.ts'
import { type ReferenceSubject, subjectsOf } from '#features/reference/reference.rules.ts'
import { snippetsOf } from '#features/reference/snippets.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { SharedPage } from '#server/http/shared-pages.ts'
import { hashToken } from '#server/session/tokens.ts'
import type { ApiDocument } from '#shared/api-document.ts'
import type { Site } from '#shared/site.ts'

type Around = () => Promise<{ site: Site; isDemonstration: boolean }>

/** Base address in the generated examples, replaced by the one that the reader uses. */
const standIn = 'https://ntalo.example'
const folder = join(import.meta.dirname, '../../../docs/examples')

/** Returns the pages for developers. @param document the description of the API, complete once the server listens */
export function referencePages(db: Db, document: () => ApiDocument, around: Around): SharedPage[] {
  const files = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'utf8').trim()] as const,
  )
  const examplesFor = (origin: string) =>
    Object.fromEntries(files.map(([name, text]) => [name, text.replaceAll(standIn, origin)]))
  let last: { origin: string; subjects: ReferenceSubject[] } | undefined
  // The description does not change while the server runs, and nearly all readers use one address, so the last result
  // is cached.
  const subjectsAt = (origin: string) => {
    if (last?.origin !== origin) last = { origin, subjects: subjectsOf(document(), origin) }
    return last.subjects
  }
  const linked = (subjects: readonly ReferenceSubject[]) =>
    subjects.map(({ name, title, isOpenToKeys }) => ({ name, title, isOpenToKeys }))
  return [
    {
      path: '/developpeurs',
      load: async (_params, origin) => {
        const subjects = linked(subjectsAt(origin))
        const call = { method: 'GET', url: `${origin}/api/prices?limit=5`, hasKey: true, isFile: false }
        const demonstrated = (await isLiveKey(db, hashToken(demonstrationKey))) ? demonstrationKey : null
        const props = {
          subjects,
          origin,
          demonstrated,
          first: snippetsOf(call),
          examples: examplesFor(origin),
        }
        return { view: 'developers', props: { ...props, ...(await around()) } }
      },
    },
    {
      path: '/developpeurs/recettes',
      load: async (_params, origin) => {
        const subjects = linked(subjectsAt(origin))
        return { view: 'recipes', props: { subjects, examples: examplesFor(origin), ...(await around()) } }
      },
    },
    {
      path: '/developpeurs/reference/:subject',
      load: async ({ subject: name }, origin) => {
        const subjects = subjectsAt(origin)
        const subject = subjects.find((each) => each.name === name)
        if (!subject) return null
        return {
          view: 'reference-subject',
          props: { subject, subjects: linked(subjects), ...(await around()) },
        }
      },
    },
  ]
}

/** Returns their paths, for search engines. */
export function referencePaths({ tags = [] }: ApiDocument): string[] {
  const subjects = tags.map(({ name }) => `/developpeurs/reference/${name}`)
  return ['/developpeurs', '/developpeurs/recettes', ...subjects]
}
