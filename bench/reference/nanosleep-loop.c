/* The platform's own limit: a 1 kHz loop that sleeps by clock_nanosleep. Prints how late each tick was [us], one a line. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
  long ticks = argc > 1 ? atol(argv[1]) : 1000;
  double *late = malloc(sizeof(double) * ticks);
  struct timespec due, now;
  clock_gettime(CLOCK_MONOTONIC, &due);
  for (long k = 0; k < ticks; k++) {
    due.tv_nsec += 1000000;
    if (due.tv_nsec >= 1000000000) { due.tv_nsec -= 1000000000; due.tv_sec++; }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    late[k] = (now.tv_sec - due.tv_sec) * 1e6 + (now.tv_nsec - due.tv_nsec) / 1e3;
  }
  for (long k = 0; k < ticks; k++) printf("%.1f\n", late[k]);
  return 0;
}
