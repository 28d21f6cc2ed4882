-- Health asks for the jobs that keep failing each time it is looked at; there are few, among many that wait.
create index job_failing on job (task) where attempts >= 3;
