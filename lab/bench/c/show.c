/* Usage: show ROUNDS. Scores a million random hands, then all 12,994,800 as hand and as crib.
   Prints one line of JSON: the best seconds of ROUNDS, and sums to compare. */
#include "show.h"
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HANDS = 1000000 };
static uint8_t hands[HANDS][4], starters[HANDS], points[HANDS];

static void deal(void)
{
    for (int i = 0; i < HANDS; i++) {
        uint8_t pack[52];
        for (int j = 0; j < 52; j++)
            pack[j] = (uint8_t)j;
        for (int j = 0; j < 5; j++) {
            int k = j + (int)below((uint32_t)(52 - j));
            uint8_t card = pack[k];
            pack[k] = pack[j];
            pack[j] = card;
        }
        memcpy(hands[i], pack, 4);
        starters[i] = pack[4];
    }
}

__attribute__((noinline)) static void score_all(void)
{
    for (int i = 0; i < HANDS; i++)
        points[i] = (uint8_t)show_points(hands[i][0], hands[i][1], hands[i][2], hands[i][3], starters[i], 0);
}

static long columns[2][32];

__attribute__((noinline)) static void enumerate(void)
{
    memset(columns, 0, sizeof columns);
    for (int a = 0; a < 49; a++)
        for (int b = a + 1; b < 50; b++)
            for (int c = b + 1; c < 51; c++)
                for (int d = c + 1; d < 52; d++)
                    for (int e = 0; e < 52; e++) {
                        if (e == a || e == b || e == c || e == d)
                            continue;
                        columns[0][show_points(a, b, c, d, e, 0)]++;
                        columns[1][show_points(a, b, c, d, e, 1)]++;
                    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    fill_show_table();
    deal();
    double best = 1e9, best_all = 1e9;
    for (int i = 0; i < rounds; i++) {
        double began = seconds();
        score_all();
        double took = seconds() - began;
        best = took < best ? took : best;
    }
    for (int i = 0; i < rounds; i++) {
        double began = seconds();
        enumerate();
        double took = seconds() - began;
        best_all = took < best_all ? took : best_all;
    }
    long sum = 0, sums[2] = {0, 0};
    for (int i = 0; i < HANDS; i++)
        sum += points[i];
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 2; j++)
            sums[j] += i * columns[j][i];
    printf("{\"hands\": %d, \"seconds\": %.9f, \"sum\": %ld, \"all_seconds\": %.9f, \"hand_sum\": %ld, "
           "\"crib_sum\": %ld}\n", HANDS, best, sum, best_all, sums[0], sums[1]);
    return 0;
}
