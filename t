Command exited with non-zero status 2
0.15 0.11+0.04 47616
