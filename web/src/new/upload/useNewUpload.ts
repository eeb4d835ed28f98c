import { useMutation } from "@tanstack/react-query";
import { createUpload } from "../../api/uploads.ts";
import { useForm } from "../form.ts";
import type { Choice } from "./ChooseFiles.tsx";
import { holdingChoice } from "./held.ts";
import { UploadSession } from "./session.ts";

/** Creates an upload and sends files to it. */
export function useNewUpload() {
  const { upload, setDataSource } = useForm();
  const creating = useMutation({
    mutationFn: (choice: Choice) => holdingChoice(upload.place, choice, createUpload),
    gcTime: 0,
    onSuccess: ({ id }, { files, unusable }) => {
      const session = new UploadSession(id, 0);
      upload.hold(session);
      void session.add(files, unusable);
      setDataSource({ upload: id, uploadFiles: 0 });
    },
  });
  const { variables } = creating;
  return {
    begin(choice: Choice) {
      if (!creating.isPending) creating.mutate(choice);
    },
    retry: () => variables !== undefined && creating.mutate(variables),
    error: creating.error,
  };
}
