import { Link } from '@tanstack/react-router'
import { List, SearchX } from 'lucide-react'
import type { Noun } from '#shared/resource.ts'
import { ApiError } from '#web/api.ts'
import { BackButton } from '#web/back-button.tsx'
import { wordsOf } from '#web/crud/words.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

type RowMissingProps = {
  noun: Noun
  /** Address of the list. */
  path: string
  /** Name of the list in the link to it. */
  listLabel?: string
  /** Title used both when the row does not exist and when it did not load. */
  title?: string
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
}

/** Replaces a row that does not exist or could not be loaded; in the second case, with a retry button. */
export function RowMissing({ noun, path, listLabel, title, answer }: RowMissingProps) {
  const { error } = answer
  const words = wordsOf(noun)
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <>
      <PageHeader
        title={noun.one}
        back={<BackButton list={path} />}
        actions={!isMissing && <ToList path={path} label={listLabel} />}
      />
      {isMissing ? (
        <EmptyState
          title={title ?? words.notFound}
          icon={SearchX}
          action={<ToList path={path} label={listLabel ?? 'Revenir à la liste'} />}
        >
          L’adresse est inexacte, ou la page a été supprimée.
        </EmptyState>
      ) : (
        <LoadFailure title={title ?? `Erreur lors du chargement ${words.of}`} answer={answer} />
      )}
    </>
  )
}

/** The link to the list, next to the title of a row. */
export function ToList({ path, label = 'Liste' }: { path: string; label?: string }) {
  return (
    <Link to={path} className={buttonClass()}>
      <List className="size-4" aria-hidden />
      {label}
    </Link>
  )
}
