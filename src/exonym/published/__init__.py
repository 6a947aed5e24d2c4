"""Figures that papers print, to compare ours with. Plain data, which every layer may read.

thai_web   Somboonviwat, Tamura and Kitsuregawa (2006): the Thai web, its sizes, languages and links
thesis     Suebchua (2014): the segment crawler for three topics, its links, thresholds and models

What only one experiment reads is in the folder of that experiment.
"""
