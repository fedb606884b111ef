#!/bin/sh
# A bot that plays its first card that fits, in shell: fifteentwo arena "sh first_card.sh" random --games 20

number() { got=${line#*"\"$1\":"} got=${got%%[!0-9]*}; }
list() { got=${line#*"\"$1\":["} got=${got%%]*}; }

play() {
  number count; count=$got; list hand; IFS=,
  for card in $got; do
    rank=${card#?} rank=${rank%??}
    case $rank in A) value=1 ;; [TJQK]) value=10 ;; *) value=$rank ;; esac
    [ $((count + value)) -le 31 ] && echo "{\"type\":\"Play\",\"seat\":$seat,\"card\":$card}" && return
  done
}
discard() {
  number discards; number=$got; list hand; rest=${got#*,} cards=${got%%,*}
  [ "$number" = 2 ] && cards=$cards,${rest%%,*}
  echo "{\"type\":\"Discard\",\"seat\":$seat,\"cards\":[$cards]}"
}
draw() {
  list drawn_at; at=0
  while case ,$got, in *,$at,*) ;; *) false ;; esac; do at=$((at + 1)); done
  echo "{\"type\":\"Draw\",\"seat\":$seat,\"at\":$at}"
}

while read -r line; do
  number seat; seat=$got
  case $line in
    *'"type":"hello"'*) echo '{"type":"hello","name":"First card in shell","protocol":1}'; echo '{"type":"ready"}' ;;
    quit | '{"type":"quit"'*) exit ;;
    *'"phase":"play"'*) play ;;
    *'"phase":"discard"'*) discard ;;
    *'"phase":"draw"'*) draw ;;
    *'"phase":"cut'*) echo "{\"type\":\"Cut\",\"seat\":$seat,\"at\":10}" ;;
    *'"phase":"claim"'*) echo "{\"type\":\"Claim\",\"seat\":$seat,\"points\":0}" ;;
    *'"phase":"challenge"'*) echo "{\"type\":\"Accept\",\"seat\":$seat}" ;;
    '{"type":'*) ;;
    *) echo '{"type":"error","code":"not-readable"}' ;;
  esac
done
