"""The experiments of the papers, each one command: make its webs, run its crawls, compare our figures.

lswc2006/    Somboonviwat, Tamura, Kitsuregawa: language specific web crawling
cjk2010/     Chan, Yamana: a rule for Chinese, Japanese and Korean pages; and two crawls compared
haprc/       Aggarwal, Nath, Bansal: decisions of a weight table
tflswc2014/  Suebchua: the segment crawler for three topics
request      what an experiment is to be run with
directory    the directory of an experiment: its settings and its webs
simulations  simulations, saved as soon as they are finished
claims       what papers claim, and whether our results bear it out

Commands and tests use it, nothing below. Figures that papers print are in `exonym.published`.
"""
