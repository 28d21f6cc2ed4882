import { NotFoundView } from './not-found.view.tsx'

export function NotFoundPage() {
  return <NotFoundView onBack={() => history.back()} />
}
