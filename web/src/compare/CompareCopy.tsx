import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { fetchAsCaller, SERVICE_URL } from "../api/client.ts";
import { Section } from "../ui/Section.tsx";
import { mountCompare } from "./mount-compare.ts";
import { languageOf } from "./words.ts";

/** The section of a dataset in which a person compares a copy with the archived files. */
export default function CompareCopy({ id, version }: { id: string; version: number }) {
  const { language } = useTranslation().i18n;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const files = `${SERVICE_URL}dataset/${encodeURIComponent(id)}/files?version=${version}`;
    return mountCompare(place.current, { files, language, headingLevel: 0, send: fetchAsCaller });
  }, [id, version, language]);
  return (
    <Section title={languageOf(language).say("title")}>
      <div ref={place} />
    </Section>
  );
}
