import { NotFoundText } from './not-found.view.tsx'

/** The page of an unknown address for a signed-in user; the menu remains. */
export function NotFoundPage() {
  return <NotFoundText onBack={() => history.back()} />
}
