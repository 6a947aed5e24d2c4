"""The frontier of simulations: node numbers for ids, compiled by numba, all in memory."""
