import { Anchor } from "@mantine/core";

/** One remark, and the way to its field. @param where what the field is called */
export function RemarkLine({ where, detail, onGo }: { where: string; detail: string; onGo: () => void }) {
  return (
    <>
      <Anchor component="button" type="button" inherit underline="always" onClick={onGo}>
        {where}
      </Anchor>
      : {detail}
    </>
  );
}
