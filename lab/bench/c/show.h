/* Show scoring by one table: fifteens, pairs and runs of five ranks, then flush and nobs by the suits. */
#ifndef SHOW_H
#define SHOW_H
#include <stdint.h>

enum { RANKS = 13, TABLE = 13 * 13 * 13 * 13 * 13 };
static uint8_t show_table[TABLE];

static int rank_points(const int *rank)
{
    int points = 0, copies[15] = {0};
    for (int chosen = 1; chosen < 32; chosen++) {
        int sum = 0;
        for (int i = 0; i < 5; i++)
            if (chosen >> i & 1)
                sum += rank[i] < 9 ? rank[i] + 1 : 10;
        points += 2 * (sum == 15);
    }
    for (int i = 0; i < 5; i++) {
        copies[rank[i] + 1]++;
        for (int j = 0; j < i; j++)
            points += 2 * (rank[i] == rank[j]);
    }
    for (int low = 1; low <= RANKS; low++) {
        if (copies[low - 1] || !copies[low])
            continue;
        int length = 0, ways = 1;
        while (low + length <= RANKS && copies[low + length])
            ways *= copies[low + length++];
        if (length >= 3)
            points += length * ways;
    }
    return points;
}

static void fill_show_table(void)
{
    for (int i = 0; i < TABLE; i++) {
        int rank[5], rest = i;
        for (int j = 0; j < 5; j++, rest /= RANKS)
            rank[j] = rest % RANKS;
        show_table[i] = (uint8_t)rank_points(rank);
    }
}

static inline int flush_and_nobs(int a, int b, int c, int d, int e, int crib)
{
    int points = 0;
    if ((((a ^ b) | (a ^ c) | (a ^ d)) & 3) == 0) {
        if (((a ^ e) & 3) == 0)
            points = 5;
        else if (!crib)
            points = 4;
    }
    int nobs = 40 | (e & 3);
    return points + ((a == nobs) | (b == nobs) | (c == nobs) | (d == nobs));
}

/* Cards are 4 * rank + suit with rank 0..12; e is the starter. */
static inline int show_points(int a, int b, int c, int d, int e, int crib)
{
    int index = ((((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)) * 13 + (d >> 2)) * 13 + (e >> 2);
    return show_table[index] + flush_and_nobs(a, b, c, d, e, crib);
}
#endif
