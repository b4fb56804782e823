/** What the robot is to do with a command. */
export const CommandMode = { hold: 0, follow: 1, brake: 2 } as const;
export type CommandMode = (typeof CommandMode)[keyof typeof CommandMode];
