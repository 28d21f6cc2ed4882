import { Eye, EyeOff } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass } from '#web/ui/button-class.ts'
import { controlClass } from '#web/ui/control-class.ts'

export type Notice = { tone: 'error' | 'success'; title?: string | undefined; message: string }

/** Error messages by field name. */
export type Faults = Readonly<Record<string, string>>

/** The message above a server-rendered form; when empty, the place where a script shows its message. */
export function NoticeBox({ notice }: { notice: Notice | null }) {
  return (
    <div
      data-notice
      data-tone={notice?.tone}
      role={notice?.tone === 'error' ? 'alert' : 'status'}
      hidden={!notice}
      className="mb-4 rounded-md border border-line bg-green-soft p-3 text-sm text-green data-[tone=error]:bg-red-soft data-[tone=error]:text-red"
    >
      <p data-notice-title className="font-semibold empty:hidden">
        {notice?.title}
      </p>
      <p data-notice-message>{notice?.message}</p>
    </div>
  )
}

type InputProps = Omit<ComponentProps<'input'>, 'className'> & {
  name: string
  label: string
  hint?: ReactNode
  fault?: string | undefined
}

/** A field of a form that works without a script: its label, its control and its error. */
export function FormInput({ name, label, hint, fault, required = true, ...rest }: InputProps) {
  return (
    <Labelled {...{ name, label, hint, fault, required }}>
      <input type="text" {...rest} {...control({ name, hint, fault, required })} className={controlClass} />
    </Labelled>
  )
}

type Asked = { values: { [name: string]: string | undefined }; faults: Faults }

/** `username` for the address used to sign in, so that browsers store it. */
export function FormEmail({ values, faults, autoComplete }: Asked & { autoComplete: 'username' | 'email' }) {
  return (
    <FormInput
      name="email"
      label="Email"
      type="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      defaultValue={values.email}
      fault={faults.email}
    />
  )
}

export function FormName({ values, faults }: Asked) {
  return (
    <FormInput
      name="name"
      label="Nom complet"
      autoComplete="name"
      maxLength={200}
      defaultValue={values.name}
      fault={faults.name}
    />
  )
}

type TextareaProps = Omit<ComponentProps<'textarea'>, 'className'> &
  Pick<InputProps, 'label' | 'hint' | 'fault'> & {
    name: string
  }

/** A text area of a form that works without a script. */
export function FormTextarea({
  name,
  label,
  hint,
  fault,
  required = true,
  rows = 6,
  ...rest
}: TextareaProps) {
  return (
    <Labelled {...{ name, label, hint, fault, required }}>
      <textarea
        {...rest}
        {...control({ name, hint, fault, required })}
        rows={rows}
        className={`${controlClass} h-auto py-2`}
      />
    </Labelled>
  )
}

/** A password field; a script adds the button that shows the password. */
export function FormPassword({ name, label, hint, fault, required = true, ...rest }: InputProps) {
  return (
    <Labelled {...{ name, label, hint, fault, required }}>
      <span className="relative block">
        <input
          {...rest}
          {...control({ name, hint, fault, required })}
          type="password"
          maxLength={1000}
          className={`${controlClass} pr-12`}
        />
        <button
          type="button"
          hidden
          data-reveal={name}
          aria-label="Afficher le mot de passe"
          className="group absolute inset-y-0 right-0 flex size-control items-center justify-center rounded-md text-ink-soft hover:text-ink"
        >
          <Eye className="size-4.5 group-data-[is-shown=true]:hidden" aria-hidden />
          <EyeOff className="hidden size-4.5 group-data-[is-shown=true]:block" aria-hidden />
        </button>
      </span>
    </Labelled>
  )
}

type SubmitProps = { children: string }

export function SubmitButton({ children }: SubmitProps) {
  return (
    <button type="submit" className={buttonClass('primary', 'w-full')}>
      {children}
    </button>
  )
}

type ControlState = Pick<InputProps, 'name' | 'hint' | 'fault' | 'required'>

function control({ name, hint, fault, required }: ControlState) {
  // The element of the error is always rendered, because a script may fill it.
  const described = [hint && `${name}-hint`, `${name}-fault`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    required,
    'aria-invalid': fault ? (true as const) : undefined,
    'aria-describedby': described,
  }
}

function Labelled({
  name,
  label,
  hint,
  fault,
  required,
  children,
}: ControlState & { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={name} className="mb-1.5 block text-sm font-medium">
        {label}
        {required && (
          <span className="text-red" aria-hidden>
            {' *'}
          </span>
        )}
      </label>
      {children}
      {hint && (
        <p id={`${name}-hint`} className="mt-1.5 text-xs text-ink-soft">
          {hint}
        </p>
      )}
      <p id={`${name}-fault`} className="mt-1.5 text-xs font-medium text-red empty:hidden">
        {fault}
      </p>
    </div>
  )
}
