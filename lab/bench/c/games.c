/* Usage: games NUMBER. Plays whole two-player six-card games to 121, every choice at random.
   Prints one line of JSON: seconds, deals played, and how often the first dealer won. */
#include "show.h"
#include "clock.h"
#include <stdio.h>
#include <stdlib.h>

enum { TARGET = 121 };
static int pack[52], score[2];

static inline int value(int card)
{
    return card < 36 ? (card >> 2) + 1 : 10;
}

/* What the last of `length` cards of one count makes. */
static inline int play_points(const int *laid, int length, int count)
{
    int points = 2 * (count == 15 || count == 31), rank = laid[length - 1] >> 2, alike = 1;
    while (alike < length && laid[length - 1 - alike] >> 2 == rank)
        alike++;
    points += alike * (alike - 1);
    int seen = 0, low = 13, high = 0, longest = 0;
    for (int n = 1; n <= length; n++) {
        int r = laid[length - n] >> 2;
        if (seen >> r & 1)
            break;
        seen |= 1 << r;
        low = r < low ? r : low;
        high = r > high ? r : high;
        if (n >= 3 && high - low == n - 1)
            longest = n;
    }
    return points + longest;
}

static inline int can_play(const int *hand, int held, int count)
{
    for (int i = 0; i < held; i++)
        if (count + value(hand[i]) <= 31)
            return 1;
    return 0;
}

/* Both return whether the game is over. */
static inline int peg(int seat, int points)
{
    score[seat] += points;
    return score[seat] >= TARGET;
}

static int play(int dealer)
{
    int hands[2][4], held[2] = {4, 4}, laid[8], length = 0, count = 0, turn = 1 - dealer;
    for (int i = 0; i < 4; i++) {
        hands[1 - dealer][i] = pack[i];
        hands[dealer][i] = pack[4 + i];
    }
    while (held[0] + held[1]) {
        int *hand = hands[turn], fits[4], number = 0;
        for (int i = 0; i < held[turn]; i++)
            if (count + value(hand[i]) <= 31)
                fits[number++] = i;
        int place = fits[number == 1 ? 0 : (int)below((uint32_t)number)], card = hand[place];
        hand[place] = hand[--held[turn]];
        laid[length++] = card;
        count += value(card);
        if (peg(turn, play_points(laid, length, count)))
            return 1;
        int other = 1 - turn;
        if (count < 31) {
            if (can_play(hands[other], held[other], count)) {
                turn = other;
                continue;
            }
            if (can_play(hands[turn], held[turn], count))
                continue;
            if (peg(turn, 1))
                return 1;
        }
        count = length = 0;
        if (held[other])
            turn = other;
    }
    return 0;
}

static int deal(int dealer)
{
    for (int i = 0; i < 13; i++) {
        int j = i + (int)below((uint32_t)(52 - i)), card = pack[j];
        pack[j] = pack[i];
        pack[i] = card;
    }
    const int *c = pack;
    int starter = c[12];
    return (starter >> 2 == 10 && peg(dealer, 2)) || play(dealer) ||
           peg(1 - dealer, show_points(c[0], c[1], c[2], c[3], starter, 0)) ||
           peg(dealer, show_points(c[4], c[5], c[6], c[7], starter, 0)) ||
           peg(dealer, show_points(c[8], c[9], c[10], c[11], starter, 1));
}

int main(int argc, char **argv)
{
    int games = argc > 1 ? atoi(argv[1]) : 100000;
    fill_show_table();
    for (int i = 0; i < 52; i++)
        pack[i] = i;
    long deals = 0, first = 0;
    double began = seconds();
    for (int game = 0; game < games; game++) {
        int dealer = 0;
        score[0] = score[1] = 0;
        for (deals++; !deal(dealer); deals++)
            dealer = 1 - dealer;
        first += score[0] >= TARGET;
    }
    printf("{\"games\": %d, \"seconds\": %.9f, \"deals\": %ld, \"first_dealer_won\": %.6f}\n", games,
           seconds() - began, deals, (double)first / games);
    return 0;
}
