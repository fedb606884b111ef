/* Seconds of processor time (a busy machine spoils no comparison), and a small generator of random numbers. */
#ifndef CLOCK_H
#define CLOCK_H
#include <stdint.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static inline uint32_t below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(((random_state >> 32) * limit) >> 32);
}
#endif
