import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type CheckRequest, checkBucket, previewBucket, remarksOf, type Step } from "../api/intake.ts";
import type { DataSource, Keys } from "./draft.ts";
import type { Connection } from "./form.ts";
import { checkOf, previewOf } from "./request.ts";
import type { Refusal } from "./useFormErrors.ts";

/** Tests the connection and, if it works, fetches the preview. Does not keep the credentials. */
export function useConnection(
  dataset: string | undefined,
  dataSource: DataSource,
  keys: Keys,
): Connection & { failure: Refusal | undefined } {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const [passed, setPassed] = useState<ReadonlyMap<Step["name"], Step>>(new Map());
  const counting = useMutation({
    mutationFn: (body: CheckRequest) => previewBucket(previewOf(body, dataset)),
    gcTime: 0,
  });
  const testing = useMutation({
    mutationFn: (body: CheckRequest) => {
      running.current = new AbortController();
      const onStep = (step: Step) => setPassed((before) => new Map(before).set(step.name, step));
      return checkBucket(body, { onStep, signal: running.current.signal });
    },
    gcTime: 0,
    onMutate: () => {
      counting.reset();
      setPassed(new Map());
    },
    onSuccess: ({ ok }, body) => {
      if (ok) counting.mutate(body);
    },
  });
  const body = checkOf(dataSource, keys);
  const tested: CheckRequest | undefined = testing.variables;
  const error = testing.error ?? counting.error;
  return {
    test: () => testing.mutate(body),
    cancel: () => {
      running.current?.abort();
      testing.reset();
    },
    isTesting: testing.isPending,
    passed,
    report: testing.data,
    isCounting: counting.isPending,
    preview: counting.data,
    error,
    isStale: tested !== undefined && JSON.stringify(tested) !== JSON.stringify(body),
    failure:
      error === null || tested === undefined ? undefined : { remarks: remarksOf(error, "/s3Access"), of: tested },
  };
}
