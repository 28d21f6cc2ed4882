import { NotFoundText } from './not-found.view.tsx'

/** An address that leads nowhere, for somebody signed in: the menu stays. */
export function NotFoundPage() {
  return <NotFoundText onBack={() => history.back()} />
}
