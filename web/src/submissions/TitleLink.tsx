import type { SubmissionEntry } from "@accession/client";
import { Link } from "wouter";
import { Name } from "../ui/Name.tsx";
import classes from "./Submissions.module.css";

/** Leads to a submission; the whole row or card can be pressed. */
export function TitleLink({ submission }: { submission: SubmissionEntry }) {
  const { id, title, source } = submission;
  return (
    <span className={classes.what}>
      <Link href={`/submissions/${id}`} className={classes.title}>
        <Name>{title}</Name>
      </Link>
      <span className={classes.bucket}>{source.bucket}</span>
    </span>
  );
}
