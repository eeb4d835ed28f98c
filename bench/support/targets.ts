/** The measurements of a case and contestant. */
export type Figure = "seconds" | "cpuSeconds";

/** A target: the value of Accession must be at most `most` times the value of another contestant. */
export interface Target {
  workload: string;
  figure: Figure;
  against: string;
  most: number;
}

/** Names of the contestants that targets refer to. */
export const RCLONE = "rclone";
export const RCLONE_AND_SUM = "rclone+sha512sum";
export const RCLONE_UNCHECKED = "rclone-unchecked";
export const S5CMD = "s5cmd";
export const FLOOR = "floor";
export const ACCESSION = "accession";
export const BEFORE = "before";

export const TARGETS: readonly Target[] = [
  { workload: "small", figure: "seconds", against: S5CMD, most: 0.6 },
  { workload: "small", figure: "seconds", against: RCLONE, most: 0.8 },
  { workload: "small", figure: "seconds", against: FLOOR, most: 2.0 },
  { workload: "small", figure: "cpuSeconds", against: RCLONE_AND_SUM, most: 1.0 },
  { workload: "medium", figure: "seconds", against: RCLONE, most: 1.2 },
  { workload: "large", figure: "seconds", against: RCLONE_AND_SUM, most: 0.5 },
  { workload: "large", figure: "seconds", against: RCLONE, most: 1.25 },
  { workload: "huge", figure: "seconds", against: RCLONE_AND_SUM, most: 0.5 },
  { workload: "huge", figure: "seconds", against: RCLONE, most: 1.25 },
  { workload: "tls", figure: "seconds", against: RCLONE, most: 0.8 },
  { workload: "mixed", figure: "seconds", against: RCLONE, most: 1.3 },
];

/** Ratios that are shown for every case, with or without a target. */
export const SHOWN: readonly { figure: Figure; against: string }[] = [
  { figure: "seconds", against: RCLONE },
  { figure: "seconds", against: RCLONE_AND_SUM },
  { figure: "seconds", against: RCLONE_UNCHECKED },
  { figure: "seconds", against: S5CMD },
  { figure: "seconds", against: FLOOR },
  { figure: "seconds", against: BEFORE },
  { figure: "cpuSeconds", against: RCLONE_AND_SUM },
  { figure: "cpuSeconds", against: BEFORE },
];
