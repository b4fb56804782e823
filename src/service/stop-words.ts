/** Words that the stop listener's thread shares with the one that started it. */
export const StopWord = {
  /** The port, once the thread is ready. */
  port: 0,
  /** 1 from when heartbeats must come. */
  isSupervised: 1,
  /** Heartbeats that have come to the service, by the page's connection. */
  beats: 2,
  count: 3,
} as const;
