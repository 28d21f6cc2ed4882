import { useNavigate, useParams } from '@tanstack/react-router'
import { useTitle } from '#web/arrival.ts'
import { BackButton } from '#web/back-button.tsx'
import { RowMissing } from '#web/crud/row-missing.tsx'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { useSubjectForm } from '#web/crud/subject-form.ts'
import { wordsOf } from '#web/crud/words.ts'
import { SavePage } from '#web/forms/save-page.tsx'
import { useAnswer } from '#web/query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/** The page with the edit form of a row, by the id in the address. */
export function EditScreen<Row extends AnyRow>({ subject }: { subject: Subject<Row> }) {
  const { resource, screens } = subject
  const { id }: { id?: string } = useParams({ strict: false })
  const answer = useAnswer(resource.find, { params: { id: Number(id) } })
  useTitle(answer.data && `Modifier ${screens.nameOf(answer.data)}`)
  if (answer.data) return <Edit subject={subject} row={answer.data} />
  if (!answer.error) return <PageSkeleton />
  return <RowMissing noun={resource.noun} path={screens.path} title={screens.missingTitle} answer={answer} />
}

function Edit<Row extends AnyRow>({ subject, row }: { subject: Subject<Row>; row: Row }) {
  const { resource, screens } = subject
  const navigate = useNavigate()
  const { saving, fields, question } = useSubjectForm(subject, row)
  const title = `Modifier ${wordsOf(resource.noun).the}`
  const leave = () => void navigate({ to: screens.detailPath?.(row) ?? screens.path, replace: true })
  return (
    <>
      <PageHeader title={title} description={screens.nameOf(row)} back={<BackButton list={screens.path} />} />
      <SavePage {...saving} label={title} onClose={leave} onCancel={leave}>
        {fields}
      </SavePage>
      {question}
    </>
  )
}
