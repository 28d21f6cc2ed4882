import { useState } from 'react'
import { type Import, mapImport } from '#features/imports/imports.contract.ts'
import type { NameQuestion } from '#features/imports/report.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { quoted } from '#web/crud/words.ts'
import { formatCount } from '#web/format.ts'
import { statementOf, useAction } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AbandonDialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useUnsavedWork } from '#web/unsaved.ts'

const explanation =
  'Ces noms ressemblent aux nôtres. Dites si ce sont les mêmes\u00a0: leurs lignes attendent votre réponse'

const newName = 'new'
const subjects: Record<NameQuestion['subject'], string> = { market: 'Marché', product: 'Produit' }

/** Asks about names similar to ours, whether each is the same or a new one; nothing is matched or created before. */
export function NameQuestions({ row: { id, state, mapping, report } }: { row: Import }) {
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const save = useAction(mapImport, { onDone: () => setAnswers({}) })
  const questions = report?.questions ?? []
  const count = Object.values(answers).filter(Boolean).length
  const { question } = useUnsavedWork(count > 0 && state === 'checked')
  if (state !== 'checked' || !mapping || questions.length === 0) return null
  const keyOf = ({ subject, name }: NameQuestion) => `${subject} ${name}`
  const answerAll = (answer: (question: NameQuestion) => string) =>
    setAnswers(Object.fromEntries(questions.map((question) => [keyOf(question), answer(question)])))
  return (
    <Card
      title="Noms à reconnaître"
      description={`${explanation}${mapping.name === null ? '.' : ', qui est retenue avec la correspondance.'}`}
      actions={
        <>
          <Button onClick={() => answerAll(({ candidates }) => String(candidates[0]?.id ?? newName))}>
            Tous les mêmes
          </Button>
          <Button onClick={() => answerAll(() => newName)}>Tous nouveaux</Button>
        </>
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const names = { markets: { ...mapping.names.markets }, products: { ...mapping.names.products } }
          for (const question of questions) decide(names, question, answers[keyOf(question)])
          save.mutate({ params: { id }, body: { ...mapping, names } })
        }}
      >
        <ul className="grid gap-4 sm:grid-cols-2">
          {questions.map((question) => (
            <li key={keyOf(question)}>
              <SelectField
                label={`${subjects[question.subject]} ${quoted(question.name)}, ${formatCount(question.rows, 'ligne', 'lignes')}`}
                value={answers[keyOf(question)] ?? ''}
                onChange={({ currentTarget }) =>
                  setAnswers({ ...answers, [keyOf(question)]: currentTarget.value })
                }
                options={[
                  { value: '', label: 'À décider' },
                  ...question.candidates.map(({ id, name }) => ({
                    value: id,
                    label: `Le même\u00a0: ${name}`,
                  })),
                  { value: newName, label: 'Nouveau' },
                ]}
              />
            </li>
          ))}
        </ul>
        {save.error && <ErrorNote>{statementOf(save.error)}</ErrorNote>}
        <div className="flex justify-end">
          <Button type="submit" disabled={count === 0} busy={save.isPending}>
            {count === 0 ? 'Appliquer' : `Appliquer ${formatCount(count, 'réponse', 'réponses')}`}
          </Button>
        </div>
      </form>
      {question && <AbandonDialog onStay={question.stay} onLeave={question.leave} />}
    </Card>
  )
}

function decide(names: Mapping['names'], { subject, name, candidates }: NameQuestion, answer = ''): void {
  if (answer === '') return
  const same = candidates.find(({ id }) => String(id) === answer)
  names[subject === 'market' ? 'markets' : 'products'][name] = same ?? null
}
