0
0 0 0 0 0 r h 0 B 52 B
0 0 0 0 0 r h 4 B 40 B
0 0 0 0 0 r h 10 B 30 B
0 0 0 0 0 r h 17 B 20 B
