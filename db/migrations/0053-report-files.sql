-- The files of reports stand beside pictures, named by their content. What was made before moves there by a job.
alter table report_file alter content drop not null, add bytes integer;
update report_file set bytes = length(content);
create index report_file_by_content on report_file (sha256);

alter table made_report add sha256 text,
  drop constraint made_report_done_has_pdf,
  add constraint made_report_done_has_pdf check ((state = 'done') = (pdf is not null or sha256 is not null));
create index made_report_by_content on made_report (sha256) where sha256 is not null;
