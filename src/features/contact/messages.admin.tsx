import { messages } from '#features/contact/contact.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime } from '#web/format.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'
import { Checkbox, TextareaField, TextField } from '#web/ui/inputs.tsx'

const states = [
  { value: 'false', label: 'À traiter' },
  { value: 'true', label: 'Traités' },
]

export const { ListPage: MessagesPage } = adminScreens(messages, {
  path: '/messages',
  layout: 'table',
  createVerb: 'Noter',
  ownOrder: { key: 'created_at', direction: 'desc' },
  description:
    'Ce que les visiteurs ont écrit par le formulaire de contact, ou dit à l’un de vous, qui l’a noté.',
  whenEmpty: 'Ce que les visiteurs écrivent par le formulaire de contact arrive ici.',
  searchHint: 'Nom, adresse ou texte…',
  nameOf: ({ name, subject }) => (subject ? `${name}, ${subject}` : name),
  columns: [
    { key: 'name', cell: ({ name }) => name },
    { key: 'email', cell: ({ email }) => email },
    { key: 'subject', cell: ({ subject }) => subject ?? '–' },
    { key: 'isHandled', cell: ({ isHandled }) => <State isHandled={isHandled} /> },
    { key: 'created_at', cell: ({ created_at }) => <DateTime value={created_at} /> },
  ],
  filters: [
    {
      key: 'isHandled',
      control: StateFilter,
      chip: ({ value }) => (value === 'true' ? 'Oui' : 'Non'),
    },
  ],
  blank: { name: '', email: '', subject: '', text: '', isHandled: false },
  form: ({ field, register }, row) => (
    <>
      {row ? (
        <p className="whitespace-pre-line">{row.text}</p>
      ) : (
        <>
          <TextField required maxLength={200} {...field('name')} />
          <TextField required type="email" maxLength={254} {...field('email')} />
          <TextField maxLength={200} {...field('subject')} />
          <TextareaField required maxLength={5000} {...field('text')} />
        </>
      )}
      <Checkbox label="Traité" hint="Répondu, ou sans suite à donner" {...register('isHandled')} />
    </>
  ),
  details: (message) => [
    { key: 'name', value: message.name },
    { key: 'email', value: <a href={`mailto:${message.email}`}>{message.email}</a> },
    { key: 'subject', value: message.subject ?? '–' },
    { key: 'text', value: <span className="whitespace-pre-line">{message.text}</span> },
    { key: 'isHandled', value: <State isHandled={message.isHandled} /> },
    { key: 'isNoted', value: message.isNoted ? 'Noté par l’équipe' : 'Par le formulaire' },
    { key: 'created_at', value: formatDateTime(message.created_at) },
  ],
})

function State({ isHandled }: { isHandled: boolean }) {
  return <Badge tone={isHandled ? 'grey' : 'amber'}>{isHandled ? 'Traité' : 'À traiter'}</Badge>
}

function StateFilter({ label, value, onChange }: FilterControlProps) {
  return <FilterSelect label={label} value={value} options={states} onChange={onChange} />
}
