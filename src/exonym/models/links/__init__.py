"""Link models: how likely a link leads to a relevant segment, by its words and by where it leads.

base           what every link model does, and the neutral one
features       the five features of the thesis
reading        links as numbers: words, and shares of nation names
trained        naive Bayes and logistic models: their weights, and how they predict
explain, file  why a model decides as it does; models in files
"""
