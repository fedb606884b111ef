/* Reads hands of six cards (0..51) from standard input until it ends. For each, all 15 discards against
   every starter (46) and every throw of two unseen cards (990): the sums of the crib's points, and of the
   kept hand's over the 46 starters. Prints one line of JSON: seconds a hand and both sums. */
#include "show.h"
#include "clock.h"
#include <stdio.h>

enum { MOST = 1000 };
static long cribs[MOST][15], kept[MOST][15];

static void discard(const int *hand, long *crib_sum, long *kept_sum)
{
    int unseen[46], number = 0;
    for (int card = 0; card < 52; card++) {
        int held = 0;
        for (int i = 0; i < 6; i++)
            held |= hand[i] == card;
        if (!held)
            unseen[number++] = card;
    }
    int way = 0;
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 6; j++, way++) {
            int keep[4], k = 0;
            for (int place = 0; place < 6; place++)
                if (place != i && place != j)
                    keep[k++] = hand[place];
            long sum = 0, own = 0;
            for (int s = 0; s < 46; s++) {
                int starter = unseen[s];
                own += show_points(keep[0], keep[1], keep[2], keep[3], starter, 0);
                for (int a = 0; a < 45; a++) {
                    if (a == s)
                        continue;
                    for (int b = a + 1; b < 46; b++)
                        if (b != s)
                            sum += show_points(hand[i], hand[j], unseen[a], unseen[b], starter, 1);
                }
            }
            crib_sum[way] = sum;
            kept_sum[way] = own;
        }
}

static void print_sums(const char *name, long sums[][15], int hands)
{
    printf(", \"%s\": [", name);
    for (int i = 0; i < hands; i++) {
        printf("%s[", i ? ", " : "");
        for (int way = 0; way < 15; way++)
            printf("%s%ld", way ? ", " : "", sums[i][way]);
        printf("]");
    }
    printf("]");
}

int main(void)
{
    int hands[MOST][6], number = 0, c[6];
    while (number < MOST && scanf("%d %d %d %d %d %d", &c[0], &c[1], &c[2], &c[3], &c[4], &c[5]) == 6) {
        for (int i = 0; i < 6; i++)
            hands[number][i] = c[i];
        number++;
    }
    fill_show_table();
    double began = seconds();
    for (int i = 0; i < number; i++)
        discard(hands[i], cribs[i], kept[i]);
    printf("{\"seconds_a_hand\": %.9f", (seconds() - began) / (number ? number : 1));
    print_sums("cribs", cribs, number);
    print_sums("kept", kept, number);
    printf("}\n");
    return 0;
}
