import { Link } from '@tanstack/react-router'
import { List, PackageX } from 'lucide-react'
import { ApiError } from '#web/api.ts'
import { BackButton } from '#web/back-button.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const title = 'Produit non trouvé'

type ProductMissingProps = { answer: { error: Error | null; isFetching: boolean; refetch: () => unknown } }

/** In the place of a product that does not exist, or could not be loaded: then it can be tried again. */
export function ProductMissing({ answer }: ProductMissingProps) {
  const { error } = answer
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <>
      <PageHeader title="Produit" back={<BackButton list="/products" />} actions={<ToProducts />} />
      {isMissing ? (
        <EmptyState title={title} icon={PackageX}>
          Ce produit n’existe pas ou a été supprimé. Vérifiez l’adresse, ou revenez à la liste.
        </EmptyState>
      ) : (
        <LoadFailure title={title} answer={answer} />
      )}
    </>
  )
}

/** The link to the list. */
export function ToProducts() {
  return (
    <Link to="/products" className={buttonClass()}>
      <List className="size-4" aria-hidden />
      Liste
    </Link>
  )
}
