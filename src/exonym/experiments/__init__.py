"""The experiments of the papers, one command each: make its webs, run its crawls, compare our figures.

lswc2006/    Somboonviwat, Tamura, Kitsuregawa: language specific web crawling
cjk2010/     Chan, Yamana: a rule for Chinese, Japanese and Korean pages; and two crawls compared
haprc/       Aggarwal, Nath, Bansal: decisions of a weight table
tflswc2014/  Suebchua: the segment crawler for three topics
adaptive/    ours: the adaptive strategy against the rules, on webs that it has never seen
request      the settings that an experiment runs with
directory    the directory of an experiment: its settings and its webs
simulations  simulations, saved as soon as they are finished
claims       what papers claim, and whether our results reproduce it

Only commands and tests import it. Figures that papers print are in `exonym.published`.
"""
